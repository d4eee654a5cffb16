/** The timers of one loop: what is looked at again and again, and the one deadline that is next. */
import type { Clock, Timer } from '../lib/clock.ts';

interface Round {
  everyMs: number;
  act: () => Promise<void>;
}

export class LoopTimers {
  readonly #clock: Clock;
  readonly #rounds = new Map<Round, Timer>();
  #deadline: Timer | null = null;
  #cancelled = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Acts again and again, the pause counted from the end of the act. */
  repeat(everyMs: number, act: () => Promise<void>): void {
    this.#arm({ everyMs, act });
  }

  /** Takes milliseconds from now, null for none; the deadline before is forgotten. */
  setDeadline(inMs: number | null, act: () => void): void {
    this.#deadline?.cancel();
    this.#deadline = inMs === null ? null : this.#clock.after(Math.max(0, Math.ceil(inMs)), act);
  }

  cancel(): void {
    this.#cancelled = true;
    this.#deadline?.cancel();
    for (const timer of this.#rounds.values()) timer.cancel();
  }

  #arm(round: Round): void {
    if (this.#cancelled) return;
    const timer = this.#clock.after(round.everyMs, () => {
      void round.act().finally(() => this.#arm(round));
    });
    this.#rounds.set(round, timer);
  }
}
