import type { Clock } from './clock.ts';

/** Smaller differences are slewing by a time server, or the time between two readings. */
const SMALLEST_JUMP_MS = 1_000;

/**
 * Detects that the wall clock was set back: a stored wall time then lies in the future, and what
 * waits for it would wait for hours. A jump forward looks like a machine that slept and is ignored.
 */
export class SetBack {
  readonly #clock: Clock;
  #aheadMs: number;
  #atMs: number;

  /**
   * `knownMs`: the newest wall time that an earlier daemon stored. The clock was set back between
   * the two when it lies in the future.
   */
  constructor(clock: Clock, knownMs = -Infinity) {
    this.#clock = clock;
    this.#aheadMs = Math.max(clock.now(), knownMs) - clock.monotonic();
    this.#atMs = clock.now();
  }

  /** Wall time at which the last one was noticed; before the first, of the start. */
  get atMs(): number {
    return this.#atMs;
  }

  /** By how many milliseconds since the last call, or since `knownMs`; usually 0. */
  takeMs(): number {
    const before = this.#aheadMs;
    this.#aheadMs = this.#clock.now() - this.#clock.monotonic();
    const byMs = before - this.#aheadMs;
    if (byMs < SMALLEST_JUMP_MS) return 0;
    this.#atMs = this.#clock.now();
    return byMs;
  }
}
