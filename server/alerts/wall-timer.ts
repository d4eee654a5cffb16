import type { Clock, Timer } from '../lib/clock.ts';

/** Timers pause while the machine sleeps, so the wall clock is checked this often. */
const MAX_TIMER_MS = 60_000;

/** The one timer of what has deadlines in wall time. It may fire early: `act` checks what is due. */
export class WallTimer {
  readonly #clock: Clock;
  readonly #act: () => void;
  #timer: Timer | null = null;

  constructor(clock: Clock, act: () => void) {
    this.#clock = clock;
    this.#act = act;
  }

  /** Replaces the current wait; null: waits for nothing. */
  wait(delayMs: number | null): void {
    this.#timer?.cancel();
    this.#timer =
      delayMs === null ? null : this.#clock.after(Math.min(delayMs, MAX_TIMER_MS), this.#act);
  }
}
