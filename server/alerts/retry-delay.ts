/** When a delivery that failed is tried again. */
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Pauses after the first, second, … attempt, as Standard Webhooks has them; then it is given up. */
const DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
];
/** Many that failed together do not come back together. A pause is never shorter than its figure. */
const JITTER = 0.1;
/** A receiver may ask for a longer pause, up to this. */
const MAX_ASKED_MS = 12 * HOUR_MS;
/**
 * Nothing is planned beyond this age: what waits behind a receiver that is down for good would
 * otherwise wait for the whole row of pauses of each one before it.
 */
const MAX_AGE_MS = 24 * HOUR_MS;

/** What is known of a delivery whose attempt failed. */
export interface Failed {
  /** Made so far. */
  attempts: number;
  /** Since the event was taken in. */
  ageMs: number;
  /** The pause that the receiver asked for, or null. */
  askedMs: number | null;
}

/**
 * Takes what failed and a chance from 0 to 1; gives the pause in milliseconds, or null when there is
 * no further attempt.
 */
export function retryDelay({ attempts, ageMs, askedMs }: Failed, chance: number): number | null {
  const delay = DELAYS_MS[attempts - 1];
  if (delay === undefined) return null;
  const asked = Math.min(askedMs ?? 0, MAX_ASKED_MS);
  const pause = Math.max(Math.round(delay * (1 + JITTER * chance)), asked);
  return ageMs + pause > MAX_AGE_MS ? null : pause;
}

/** Takes a Retry-After header and the time; gives the pause it asks for in milliseconds, or null. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * SECOND_MS;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
