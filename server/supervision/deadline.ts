/**
 * The one timer of a supervisor. A deadline may be wall time, which can jump while a timer runs.
 */
import type { Clock, Timer } from '../lib/clock.ts';
import { nextTickMs } from '../lib/polls.ts';

/** Pause after a due action could not be stored. */
const RETRY_MS = 5_000;

export interface DeadlineOptions {
  clock: Clock;
  /** Milliseconds from now, null for none. */
  inMs: () => number | null;
  /** Does what is due. False when it could not be stored. */
  due: () => boolean;
  /**
   * For deadlines in wall time: timers pause while the machine sleeps, so it is checked this often.
   * Nothing is done while nothing is due.
   */
  checkEveryMs?: number;
  /** The wall clock was set, so waiting machines must learn of it now. */
  isJumped?: () => boolean;
}

export class Deadline {
  readonly #options: DeadlineOptions;
  #timer: Timer | null = null;

  constructor(options: DeadlineOptions) {
    this.#options = options;
  }

  arm(): void {
    this.cancel();
    const { inMs, checkEveryMs = Infinity, isJumped } = this.#options;
    const left = inMs();
    if (left === null) return;
    const dueMs = isJumped?.() === true ? 0 : Math.max(0, Math.ceil(left));
    const isFar = dueMs > checkEveryMs;
    this.#wait(isFar ? Math.min(dueMs, nextTickMs(this.#options.clock, checkEveryMs)) : dueMs);
  }

  cancel(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  #wait(delayMs: number): void {
    this.#timer = this.#options.clock.after(delayMs, () => this.#check());
  }

  #check(): void {
    const { inMs, due, isJumped } = this.#options;
    const left = inMs();
    if (isJumped?.() !== true && (left === null || left > 0)) return this.arm();
    // The due action sets the next deadline itself.
    this.#timer = null;
    if (!due()) this.#wait(RETRY_MS);
  }
}
