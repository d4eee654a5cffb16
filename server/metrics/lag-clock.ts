/**
 * A clock that records how late its timers run: how long they waited for the event loop. It sets no
 * timer of its own, so it costs an idle daemon nothing, and measures only when a timer of the
 * daemon falls due.
 */
import type { Clock, Timer } from '../lib/clock.ts';
import { Histogram } from './histogram.ts';

/** Seconds. A timer is never more exact than a millisecond. */
const BOUNDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export class LagClock implements Clock {
  /** Of all timers that ran, in seconds. */
  readonly lag = new Histogram(BOUNDS);
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  after(delayMs: number, act: () => void): Timer {
    const dueMs = this.#due(delayMs);
    return this.#clock.after(delayMs, () => {
      this.#note(dueMs);
      act();
    });
  }

  async sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    const dueMs = this.#due(delayMs);
    await this.#clock.sleep(delayMs, signal);
    this.#note(dueMs);
  }

  #due(delayMs: number): number {
    return this.#clock.monotonic() + Math.max(0, delayMs);
  }

  #note(dueMs: number): void {
    this.lag.observe(Math.max(0, this.#clock.monotonic() - dueMs) / 1000);
  }
}
