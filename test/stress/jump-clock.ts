import { type Clock, systemClock, type Timer } from '../../server/lib/clock.ts';

interface Waiting {
  at: number;
  act: () => void;
  timer: Timer;
}

/** The system's clock, which can also be moved forward: limits of half a minute pass at once. */
export class JumpClock implements Clock {
  #aheadMs = 0;
  readonly #waiting = new Set<Waiting>();

  now(): number {
    return systemClock.now() + this.#aheadMs;
  }

  monotonic(): number {
    return systemClock.monotonic() + this.#aheadMs;
  }

  after(delayMs: number, act: () => void): Timer {
    const waiting = { at: this.monotonic() + delayMs, act, timer: this.#arm(delayMs, () => due()) };
    const due = () => {
      this.#waiting.delete(waiting);
      act();
    };
    this.#waiting.add(waiting);
    return {
      cancel: () => {
        this.#waiting.delete(waiting);
        waiting.timer.cancel();
      },
    };
  }

  async sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(delayMs, signal);
  }

  /** Timers that have not run yet. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Moves both times forward and runs what falls due, in order. */
  jump(byMs: number): void {
    this.#aheadMs += byMs;
    const due = [...this.#waiting].filter(({ at }) => at <= this.monotonic());
    for (const waiting of due.sort((a, b) => a.at - b.at)) {
      waiting.timer.cancel();
      if (this.#waiting.delete(waiting)) waiting.act();
    }
    for (const waiting of this.#waiting) {
      waiting.timer.cancel();
      const { at, act } = waiting;
      waiting.timer = this.#arm(at - this.monotonic(), () => {
        this.#waiting.delete(waiting);
        act();
      });
    }
  }

  #arm(delayMs: number, act: () => void): Timer {
    return systemClock.after(Math.max(0, delayMs), act);
  }
}
