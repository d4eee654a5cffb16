import type { Clock } from './clock.ts';

/** What a time server corrects by slewing, and what passes between two readings, is no jump. */
const SMALLEST_JUMP_MS = 1_000;

/**
 * Notices that the wall clock was set back while the daemon ran. A wall time that was noted before
 * lies in the future then, and what waits for it would wait for hours. A jump forward cannot be told
 * from a machine that slept, and is none of its business.
 */
export class SetBack {
  readonly #clock: Clock;
  #aheadMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#aheadMs = clock.now() - clock.monotonic();
  }

  /** By how much since it was asked last; mostly 0. */
  takeMs(): number {
    const before = this.#aheadMs;
    this.#aheadMs = this.#clock.now() - this.#clock.monotonic();
    const byMs = before - this.#aheadMs;
    return byMs >= SMALLEST_JUMP_MS ? byMs : 0;
  }
}
