import type { Clock } from './clock.ts';

/** Smaller differences are slewing by a time server, or the time between two readings. */
const SMALLEST_JUMP_MS = 1_000;

/**
 * Detects that the wall clock was set back while the daemon ran: a stored wall time then lies in
 * the future, and what waits for it would wait for hours. A jump forward looks like a machine that
 * slept and is ignored.
 */
export class SetBack {
  readonly #clock: Clock;
  #aheadMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#aheadMs = clock.now() - clock.monotonic();
  }

  /** By how many milliseconds since the last call; usually 0. */
  takeMs(): number {
    const before = this.#aheadMs;
    this.#aheadMs = this.#clock.now() - this.#clock.monotonic();
    const byMs = before - this.#aheadMs;
    return byMs >= SMALLEST_JUMP_MS ? byMs : 0;
  }
}
