/** The shortest and longest wait before another attempt, in milliseconds. */
const FIRST_MS = 500;
const LONGEST_MS = 15_000;

/**
 * A random delay below a bound that doubles with each failure, so that many pages do not reconnect
 * at the same instant.
 */
export function retryDelayMs(failures: number, random: () => number = Math.random): number {
  const bound = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1));
  return Math.round(bound * random());
}

/** The delay before the live connection is retried while polling works. */
export function probeDelayMs(random: () => number = Math.random): number {
  return 10_000 + Math.round(5_000 * random());
}
