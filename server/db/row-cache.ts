/**
 * Answers to questions that every poll asks of one table, kept until that table is written. For a
 * table with one writer, which says so.
 */
import type { Database } from './database.ts';

/** Answers kept; the oldest make room. */
const MAX_ANSWERS = 2_000;

export class RowCache<Answer extends object | null> {
  readonly #raw: Database['raw'];
  readonly #answers = new Map<string, Answer>();

  constructor({ raw }: Pick<Database, 'raw'>) {
    this.#raw = raw;
  }

  /** The kept answer or what `read` returns. Callers must not change it: they share it. */
  get(question: string, read: () => Answer): Answer {
    // What a transaction sees may be undone.
    if (this.#raw.inTransaction) return read();
    const known = this.#answers.get(question);
    if (known !== undefined) return known;
    const answer = read();
    const [oldest] = this.#answers.keys();
    if (this.#answers.size >= MAX_ANSWERS && oldest !== undefined) this.#answers.delete(oldest);
    this.#answers.set(question, answer);
    return answer;
  }

  /** Call it with every write, also one in a transaction. */
  written(): void {
    this.#answers.clear();
  }
}
