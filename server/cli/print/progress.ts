/** One line on the terminal while a command waits: for what, and since when. Silent in pipes. */
import { noticeRaw } from './print.ts';

const CLEAR_LINE = '\r\x1b[K';

/** A terminal that reports no size. */
const UNKNOWN_WIDTH = 80;

export class Progress {
  readonly #isShown = process.stderr.isTTY && process.stdout.isTTY;
  #text = '';

  /** `text` is a sentence without its end; the time of its first showing is added. */
  show(text: string): void {
    if (!this.#isShown || text === this.#text) return;
    this.#text = text;
    const since = new Date().toTimeString().slice(0, 8);
    noticeRaw(`${CLEAR_LINE}${cut(`${text}, since ${since}`)}`);
  }

  /** Call before anything else is printed. */
  end(): void {
    if (this.#text !== '') noticeRaw(CLEAR_LINE);
    this.#text = '';
  }

  [Symbol.dispose](): void {
    this.end();
  }
}

/** A line that wraps could not be cleared. */
function cut(text: string): string {
  return text.slice(0, (process.stderr.columns || UNKNOWN_WIDTH) - 1);
}
