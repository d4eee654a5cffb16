import type { Clock } from './clock.ts';

/**
 * Waits for an answer at most `limitMs` on the clock. Null when none came in time or the question
 * failed. Never rejects; the question itself is not cancelled.
 */
export async function within<Answer>(
  clock: Clock,
  limitMs: number,
  question: Promise<Answer>,
): Promise<{ answer: Answer } | null> {
  return new Promise((resolve) => {
    const timer = clock.after(limitMs, () => resolve(null));
    const settle = (outcome: { answer: Answer } | null) => {
      timer.cancel();
      resolve(outcome);
    };
    question.then(
      (answer) => settle({ answer }),
      () => settle(null),
    );
  });
}

/**
 * A question to something that may hang. Callers that ask while it is open share it, so that
 * unanswered questions do not pile up.
 */
export class BoundedQuestion<Answer> {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #ask: () => Promise<Answer>;
  #open: Promise<Answer> | null = null;
  #askedAtMs = 0;

  constructor(clock: Clock, limitMs: number, ask: () => Promise<Answer>) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#ask = ask;
  }

  /** How many milliseconds it has been open; 0 when it is not. */
  get openMs(): number {
    return this.#open === null ? 0 : this.#clock.monotonic() - this.#askedAtMs;
  }

  /** Null when it failed or was not answered in time. Never rejects. */
  async ask(): Promise<{ answer: Answer } | null> {
    if (this.#open === null) {
      this.#askedAtMs = this.#clock.monotonic();
      this.#open = this.#ask().finally(() => (this.#open = null));
    }
    return within(this.#clock, this.#limitMs, this.#open);
  }
}
