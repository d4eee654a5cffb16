import { type Clock, systemClock, type Timer } from '../../../server/lib/clock.ts';

interface Pending {
  atMs: number;
  act: () => void;
  timer: Timer;
}

/**
 * The system's clock, which a test can move ahead: what falls due then runs at once. Other processes
 * stay behind.
 */
export class SkipClock implements Clock {
  readonly #pending = new Set<Pending>();
  #aheadMs = 0;

  now(): number {
    return systemClock.now() + this.#aheadMs;
  }

  monotonic(): number {
    return systemClock.monotonic() + this.#aheadMs;
  }

  after(delayMs: number, act: () => void): Timer {
    const pending = { atMs: this.monotonic() + delayMs, act } as Pending;
    this.#pending.add(pending);
    this.#arm(pending);
    const cancel = () => {
      pending.timer.cancel();
      this.#pending.delete(pending);
    };
    return { cancel };
  }

  async sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        timer.cancel();
        reject(new Error('aborted'));
      };
      const timer = this.after(delayMs, () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      });
      if (signal?.aborted === true) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    });
  }

  /** Moves the time ahead; timers that are not due yet have that much less left. */
  skip(byMs: number): void {
    this.#aheadMs += byMs;
    for (const pending of [...this.#pending].sort((one, other) => one.atMs - other.atMs)) {
      // One that ran before may have cancelled it.
      if (!this.#pending.has(pending)) continue;
      pending.timer.cancel();
      if (pending.atMs <= this.monotonic()) this.#run(pending);
      else this.#arm(pending);
    }
  }

  #arm(pending: Pending): void {
    const leftMs = Math.max(0, pending.atMs - this.monotonic());
    pending.timer = systemClock.after(leftMs, () => this.#run(pending));
  }

  #run(pending: Pending): void {
    this.#pending.delete(pending);
    pending.act();
  }
}
