/** When a failed delivery is retried. */
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Pauses after the first, second, … attempt, as in Standard Webhooks; after the last one the
 * delivery is dead.
 */
const DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
];
/**
 * Deliveries that failed together do not return together. A pause is never shorter than its figure.
 */
const JITTER = 0.1;
/** A receiver may request a longer pause, up to this. */
const MAX_REQUESTED_MS = 12 * HOUR_MS;
/**
 * Nothing is planned beyond this age: otherwise a delivery waiting behind a receiver that is down
 * for good would wait for the full series of pauses of each one before it.
 */
const MAX_AGE_MS = 24 * HOUR_MS;

export interface Failed {
  /** So far. */
  attempts: number;
  /** Since the event was processed. */
  ageMs: number;
  /** The pause the receiver requested, or null. */
  askedMs: number | null;
}

/** `chance` is 0 to 1. Milliseconds; null when there is no further attempt. */
export function retryDelay({ attempts, ageMs, askedMs }: Failed, chance: number): number | null {
  const delay = DELAYS_MS[attempts - 1];
  if (delay === undefined) return null;
  const asked = Math.min(askedMs ?? 0, MAX_REQUESTED_MS);
  const pause = Math.max(Math.round(delay * (1 + JITTER * chance)), asked);
  return ageMs + pause > MAX_AGE_MS ? null : pause;
}

/** The pause that a Retry-After header requests, in milliseconds. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * SECOND_MS;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
