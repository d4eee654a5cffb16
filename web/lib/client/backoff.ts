/** The shortest and longest wait before another attempt, in milliseconds. */
const FIRST_MS = 500;
const LONGEST_MS = 15_000;

/**
 * Takes how many attempts failed in a row; gives a random wait below a bound that doubles, so that
 * many pages do not come back in the same instant.
 */
export function retryDelayMs(failures: number, random: () => number = Math.random): number {
  const bound = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1));
  return Math.round(bound * random());
}

/** The wait before the live connection is tried again while polling works. */
export function probeDelayMs(random: () => number = Math.random): number {
  return 10_000 + Math.round(5_000 * random());
}
