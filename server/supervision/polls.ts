/** A supervisor's repeated actions, until it ends. */
import type { Clock, Timer } from '../lib/clock.ts';

export class Polls {
  readonly #clock: Clock;
  readonly #timers = new Set<Timer>();
  #isCancelled = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The pause counts from the end of the action. `act` must not reject. */
  repeat(everyMs: number, act: () => Promise<void>): void {
    if (this.#isCancelled) return;
    const timer = this.#clock.after(everyMs, () => {
      this.#timers.delete(timer);
      void act().finally(() => this.repeat(everyMs, act));
    });
    this.#timers.add(timer);
  }

  cancel(): void {
    this.#isCancelled = true;
    for (const timer of this.#timers) timer.cancel();
  }
}
