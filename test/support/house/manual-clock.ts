import type { Clock } from '../../../server/lib/clock.ts';

interface Pending {
  at: number;
  act: () => void;
}

/** A clock that only a test moves; wall and monotonic time can be moved separately. */
export class ManualClock implements Clock {
  #monotonic = 0;
  #wall: number;
  readonly #pending = new Set<Pending>();

  constructor(wallMs = Date.parse('2026-01-01T00:00:00Z')) {
    this.#wall = wallMs;
  }

  now(): number {
    return this.#wall;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  /** Timers that have not run yet. */
  get pending(): number {
    return this.#pending.size;
  }

  after(delayMs: number, act: () => void) {
    const timer = { at: this.#monotonic + delayMs, act };
    this.#pending.add(timer);
    return { cancel: () => void this.#pending.delete(timer) };
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
      signal?.addEventListener('abort', abort);
    });
  }

  /** Moves both times forward and runs what falls due, in order. */
  advance(byMs: number): void {
    const end = this.#monotonic + byMs;
    for (;;) {
      const [next] = [...this.#pending].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#pending.delete(next);
      this.#moveTo(Math.max(next.at, this.#monotonic));
      next.act();
    }
    this.#moveTo(end);
  }

  /** Only the wall clock jumps: it was set, or the machine slept. */
  jumpWall(byMs: number): void {
    this.#wall += byMs;
  }

  #moveTo(monotonic: number): void {
    this.#wall += monotonic - this.#monotonic;
    this.#monotonic = monotonic;
  }
}
