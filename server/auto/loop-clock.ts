/**
 * A loop's own clock, in milliseconds since its start. Goes on while no daemon runs, stands while the
 * machine sleeps, and never goes back whatever happens to the wall clock.
 */
import type { Clock } from '../lib/clock.ts';

export class LoopClock {
  readonly #clock: Clock;
  readonly #ageAtOrigin: number;
  readonly #origin: number;

  /** Takes the age that was stored and the wall time it was stored at. */
  constructor(savedAgeMs: number, savedAtMs: number, clock: Clock) {
    this.#clock = clock;
    this.#origin = clock.monotonic();
    // The time while no daemon ran counts; a wall clock set back in between counts as none.
    this.#ageAtOrigin = savedAgeMs + Math.max(0, clock.now() - savedAtMs);
  }

  ms(): number {
    return this.#ageAtOrigin + this.#clock.monotonic() - this.#origin;
  }
}
