/** When a delivery that failed is tried again. */
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Pauses after the first, second, … attempt, as Standard Webhooks has them; then it is given up. */
const DELAYS_MS = [
  ...[5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS],
  ...[2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS],
];
/** Many that failed together do not come back together. A pause is never shorter than its figure. */
const JITTER = 0.1;
/** A receiver may ask for a longer pause, up to this. */
const MAX_ASKED_MS = 12 * HOUR_MS;

/**
 * Takes the attempts made, what the receiver asked for in milliseconds or null, and a chance from 0
 * to 1; gives the pause in milliseconds, or null when there is no further attempt.
 */
export function retryDelay(
  attempts: number,
  askedMs: number | null,
  chance: number,
): number | null {
  const delay = DELAYS_MS[attempts - 1];
  if (delay === undefined) return null;
  return Math.max(Math.round(delay * (1 + JITTER * chance)), Math.min(askedMs ?? 0, MAX_ASKED_MS));
}

/** Takes a Retry-After header and the time; gives the pause it asks for in milliseconds, or null. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * SECOND_MS;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
