/**
 * Milliseconds that something has lasted. Pauses while it is stopped or the machine sleeps, and
 * never runs backwards, even when the wall clock is set.
 */
import type { Clock } from '../lib/clock.ts';

export class Stopwatch {
  readonly #clock: Clock;
  #before: number;
  /** Monotonic; null while paused. */
  #since: number | null = null;

  /** Starts from `ms`, running or not. */
  constructor(ms: number, isRunning: boolean, clock: Clock) {
    this.#clock = clock;
    this.#before = ms;
    this.set(ms, isRunning);
  }

  ms(): number {
    return this.#before + (this.#since === null ? 0 : this.#clock.monotonic() - this.#since);
  }

  /** Continues from `ms`, running or not. */
  set(ms: number, isRunning: boolean): void {
    this.#before = ms;
    this.#since = isRunning ? this.#clock.monotonic() : null;
  }
}

/** Downtime of the daemon in milliseconds: 0 when the wall clock was set back. */
export function downtimeMs(savedAtMs: number, clock: Clock): number {
  return Math.max(0, clock.now() - savedAtMs);
}
