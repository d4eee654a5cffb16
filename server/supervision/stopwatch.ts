/**
 * Milliseconds that something has lasted. Stands while it is stopped or the machine sleeps, and never
 * goes back whatever happens to the wall clock.
 */
import type { Clock } from '../lib/clock.ts';

export class Stopwatch {
  readonly #clock: Clock;
  #before: number;
  /** Monotonic; null while it stands. */
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

/** Time that passed while no daemon ran, in milliseconds: a wall clock set back counts as none. */
export function awayMs(savedAtMs: number, clock: Clock): number {
  return Math.max(0, clock.now() - savedAtMs);
}
