import type { Clock } from '../lib/clock.ts';

const SECOND_MS = 1_000;

/** Counts what one peer sends in a second. */
export class FrameRate {
  readonly #clock: Clock;
  readonly #maxFrames: number;
  readonly #maxBytes: number;
  #since: number;
  #frames = 0;
  #bytes = 0;

  constructor(clock: Clock, maxFrames: number, maxBytes: number) {
    this.#clock = clock;
    this.#maxFrames = maxFrames;
    this.#maxBytes = maxBytes;
    this.#since = clock.monotonic();
  }

  /** `bytes` is the size of a received frame. True when that was one too many. */
  exceeds(bytes: number): boolean {
    const now = this.#clock.monotonic();
    if (now - this.#since >= SECOND_MS) {
      this.#since = now;
      this.#frames = 0;
      this.#bytes = 0;
    }
    this.#frames += 1;
    this.#bytes += bytes;
    return this.#frames > this.#maxFrames || this.#bytes > this.#maxBytes;
  }
}
