/** How long a task was at work, in milliseconds. Stands while it waits, in the queue or for anybody. */
import type { Clock } from '../../lib/clock.ts';

export class ActiveClock {
  readonly #clock: Clock;
  #before: number;
  /** Monotonic; null while it stands. */
  #since: number | null;

  /** Takes what was stored, and whether the task is at work now. */
  constructor(activeMs: number, isAtWork: boolean, clock: Clock) {
    this.#clock = clock;
    this.#before = activeMs;
    this.#since = isAtWork ? clock.monotonic() : null;
  }

  ms(): number {
    return this.#before + (this.#since === null ? 0 : this.#clock.monotonic() - this.#since);
  }

  /** Goes on from that many milliseconds, running or not. */
  set(activeMs: number, isAtWork: boolean): void {
    this.#before = activeMs;
    this.#since = isAtWork ? this.#clock.monotonic() : null;
  }
}
