/** The one deadline of a task. A wait is until a wall time, which may jump while a timer runs. */
import type { Clock, Timer } from '../../lib/clock.ts';
import { SetBack } from '../../lib/set-back.ts';

/** Timers stand while the machine sleeps, so the wall clock is looked at while something waits. */
const LONGEST_TIMER_MS = 60_000;
/** After a look at the clock that could not be stored. */
const LOOK_AGAIN_MS = 5_000;

export interface DeadlineOptions {
  clock: Clock;
  /** How many milliseconds from now, or null. */
  inMs: () => number | null;
  /** What is to be done at the time. Gives false when it could not be stored. */
  due: () => boolean;
}

export class TaskDeadline {
  readonly #options: DeadlineOptions;
  readonly #setBack: SetBack;
  #timer: Timer | null = null;
  #backMs = 0;

  constructor(options: DeadlineOptions) {
    this.#options = options;
    this.#setBack = new SetBack(options.clock);
  }

  /** By how much the wall clock was set back and nothing was done about it yet. */
  get backMs(): number {
    this.#backMs += this.#setBack.takeMs();
    return this.#backMs;
  }

  /** It was done. */
  settle(): void {
    this.#backMs = 0;
  }

  arm(): void {
    this.cancel();
    const inMs = this.#options.inMs();
    if (inMs === null) return;
    this.#wait(Math.min(LONGEST_TIMER_MS, Math.max(0, Math.ceil(inMs))));
  }

  cancel(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  #wait(delayMs: number): void {
    this.#timer = this.#options.clock.after(delayMs, () => this.#look());
  }

  /** Nothing is written while nothing is due. */
  #look(): void {
    const inMs = this.#options.inMs();
    if (this.backMs === 0 && (inMs === null || inMs > 0)) return this.arm();
    if (!this.#options.due()) this.#wait(LOOK_AGAIN_MS);
  }
}
