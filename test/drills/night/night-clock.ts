import { SkipClock } from '../../support/house/skip-clock.ts';

/** A clock that can be moved ahead, and whose wall time is that of the night. */
export class NightClock extends SkipClock {
  readonly #offsetMs: number;

  /** `offsetMs`: from the wall time of the system to that of the night, as this begins. */
  constructor(offsetMs: number) {
    super();
    this.#offsetMs = offsetMs;
  }

  override now(): number {
    return super.now() + this.#offsetMs;
  }
}
