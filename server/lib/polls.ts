/** Actions that repeat until their owner ends, on ticks that all of a daemon share. */
import type { Clock, Timer } from './clock.ts';

/** The default pace of polls, and the longest tick. */
const TICK_MS = 2_000;

export class Polls {
  readonly #clock: Clock;
  readonly #timers = new Set<Timer>();
  #isCancelled = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The pause counts from the end of the action. `act` must not throw or reject. */
  repeat(everyMs: number, act: () => Promise<void> | void): void {
    if (this.#isCancelled) return;
    const timer = this.#clock.after(nextTickMs(this.#clock, everyMs), () => {
      this.#timers.delete(timer);
      void Promise.resolve(act()).finally(() => this.repeat(everyMs, act));
    });
    this.#timers.add(timer);
  }

  cancel(): void {
    this.#isCancelled = true;
    for (const timer of this.#timers) timer.cancel();
  }
}

/**
 * How long until the shared tick nearest to `everyMs` from now; at least half a tick. An idle
 * processor wakes up once for everything that waits for the same tick, and does it with warm caches:
 * a third of the cost. A tick is a whole part of the pause, so that each repeats at its own pace.
 */
export function nextTickMs(clock: Clock, everyMs: number): number {
  const tickMs = everyMs / Math.ceil(everyMs / TICK_MS);
  const nowMs = clock.monotonic();
  return Math.round((nowMs + everyMs) / tickMs) * tickMs - nowMs;
}
