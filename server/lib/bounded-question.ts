import type { Clock } from './clock.ts';
import { within } from './within.ts';

/**
 * A question to something that may hang. Those who ask while it is open share it, so that questions to
 * what never answers do not pile up.
 */
export class BoundedQuestion<Answer> {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #ask: () => Promise<Answer>;
  #open: Promise<Answer> | null = null;

  constructor(clock: Clock, limitMs: number, ask: () => Promise<Answer>) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#ask = ask;
  }

  get isOpen(): boolean {
    return this.#open !== null;
  }

  /** Null when it failed or was not answered in time. Never rejects. */
  async ask(): Promise<{ answer: Answer } | null> {
    this.#open ??= this.#ask().finally(() => (this.#open = null));
    return within(this.#clock, this.#limitMs, this.#open);
  }
}
