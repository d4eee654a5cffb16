/** Splits bytes that arrive in any pieces into lines, with bounded memory. */

/** The end of a line: its number from 1, and the size of the file up to there in bytes. */
export interface LineEnd {
  line: number;
  offset: number;
}

const NEWLINE = 0x0a;
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

export class LineSplitter {
  readonly #onLine: (text: string | null, end: LineEnd) => void;
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #held = 0;
  #tooLong = false;
  #line: number;
  #offset: number;

  /**
   * `from` is the end of the last line to skip. `onLine` gets each line without its newline, or
   * null for one of more than `maxBytes`. What it throws leaves `push`; the splitter is unusable
   * then.
   */
  constructor(
    from: LineEnd,
    onLine: (text: string | null, end: LineEnd) => void,
    maxBytes = DEFAULT_MAX_BYTES,
  ) {
    this.#line = from.line;
    this.#offset = from.offset;
    this.#onLine = onLine;
    this.#maxBytes = maxBytes;
  }

  /** The pieces may be cut anywhere; an incomplete line is copied. */
  push(bytes: Buffer): void {
    let start = 0;
    for (;;) {
      const end = bytes.indexOf(NEWLINE, start);
      if (end === -1) break;
      this.#hold(bytes.subarray(start, end));
      this.#emit(1);
      start = end + 1;
    }
    if (start < bytes.length) this.#hold(Buffer.from(bytes.subarray(start)));
  }

  /** No more bytes: the last line may have no newline. */
  end(): void {
    if (this.#held > 0) this.#emit(0);
  }

  #hold(part: Buffer): void {
    this.#held += part.length;
    if (this.#held > this.#maxBytes) {
      this.#tooLong = true;
      this.#parts = [];
    } else {
      this.#parts.push(part);
    }
  }

  /** Decoded whole, so that no character is cut. */
  #emit(newlineBytes: 0 | 1): void {
    const text = this.#tooLong ? null : Buffer.concat(this.#parts).toString('utf8');
    this.#line += 1;
    this.#offset += this.#held + newlineBytes;
    this.#parts = [];
    this.#held = 0;
    this.#tooLong = false;
    this.#onLine(text, { line: this.#line, offset: this.#offset });
  }
}
