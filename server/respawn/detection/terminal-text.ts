/**
 * What a program drew last, as text: bytes in chunks of any size go in, a window of plain text comes
 * out, the same however they were cut. Each piece drawn in one go begins a row, indented when it was
 * not drawn at the left edge. Costs a fixed amount for each byte and keeps a fixed number of them.
 */
import { DrawnBefore } from './drawn-before.ts';

/** The plan menu is read in 2,000 characters, which have up to four bytes each. */
export const WINDOW_BYTES = 8_192;
/** Enough to distinguish a piece from one at the left edge. */
const MAX_INDENT = 8;
/** No cursor moves further; a larger number is hostile. */
const MAX_MOVE = 500;

const ESC = 0x1b;
const NEWLINE = 0x0a;
const SPACE = 0x20;
const DEL = 0x7f;
const COLOUR = 0x6d;
const ERASE_ROW = 0x4b;
/** `]`, `P`, `X`, `^`, `_`, `k` begin strings, which draw nothing. */
const STRINGS = new Set([0x5d, 0x50, 0x58, 0x5e, 0x5f, 0x6b]);
/** CAN and SUB end any sequence. */
const ABORTS = new Set([0x18, 0x1a]);

const BLANKS = new Uint8Array(MAX_INDENT).fill(SPACE);

export interface DrawnText {
  text: string;
  /** Where in `text` begins what was drawn since the last reading. */
  newFrom: number;
  /** Visible characters since then, without what was only drawn again. */
  fresh: number;
}

export class TerminalText {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #bytes = new Uint8Array(2 * WINDOW_BYTES);
  readonly #drawn = new DrawnBefore();
  #length = 0;
  #newFrom = 0;
  #pieceStart = 0;
  #column = 0;
  #state: 'ground' | 'escape' | 'csi' | 'string' = 'ground';
  readonly #numbers = [0, 0];
  #number = 0;

  push(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      const byte = bytes[at] ?? 0;
      if (this.#state !== 'ground') {
        this.#sequence(byte);
        at += 1;
      } else if (isPrintable(byte)) at = this.#print(bytes, at);
      else {
        const next = byte === ESC ? behindColour(bytes, at) : at;
        if (next === at) this.#control(byte);
        at = next === at ? at + 1 : next;
      }
    }
  }

  /** What is in the window now; the next reading counts from here. */
  read(): DrawnText {
    // A character that is cut here belongs to the next reading as a whole.
    while (this.#newFrom > 0 && isContinuation(this.#bytes[this.#newFrom])) this.#newFrom -= 1;
    const old = this.#decode(0, this.#newFrom);
    const text = old + this.#decode(this.#newFrom, this.#length);
    this.#newFrom = this.#length;
    return { text, newFrom: old.length, fresh: this.#drawn.takeFresh() };
  }

  #decode(from: number, to: number): string {
    return this.#decoder.decode(this.#bytes.subarray(from, to));
  }

  /** Draws a run of printable bytes, whole characters or not; gives the index behind it. */
  #print(bytes: Uint8Array, from: number): number {
    const most = Math.min(bytes.length, from + WINDOW_BYTES);
    let to = from + 1;
    while (to < most && isPrintable(bytes[to] ?? 0)) to += 1;
    this.#put(bytes, from, to);
    return to;
  }

  #put(bytes: Uint8Array, from: number, to: number): void {
    if (this.#length + to - from > this.#bytes.length) this.#trim();
    const kept = this.#bytes;
    let end = this.#length;
    // Most runs are a word: a view of the buffer costs more than its copy.
    for (let at = from; at < to; at += 1, end += 1) kept[end] = bytes[at] ?? 0;
    this.#length = end;
    this.#column += this.#drawn.draw(bytes, from, to);
  }

  #trim(): void {
    const cut = this.#length - WINDOW_BYTES;
    this.#bytes.copyWithin(0, cut);
    this.#length -= cut;
    this.#newFrom = Math.max(0, this.#newFrom - cut);
    this.#pieceStart = Math.max(0, this.#pieceStart - cut);
  }

  /** A new piece at a column, counted from 0. One without text leaves nothing behind. */
  #begin(column: number): void {
    if (!this.#drawn.hasText) this.#length = this.#pieceStart;
    this.#newFrom = Math.min(this.#newFrom, this.#length);
    this.#drawn.endPiece();
    if (this.#length + 1 + MAX_INDENT > this.#bytes.length) this.#trim();
    this.#pieceStart = this.#length;
    this.#column = column;
    this.#bytes[this.#length] = NEWLINE;
    this.#length += 1;
    for (let indent = Math.min(column, MAX_INDENT); indent > 0; indent -= 1) {
      this.#bytes[this.#length] = SPACE;
      this.#length += 1;
    }
  }

  #control(byte: number): void {
    if (byte === ESC) this.#state = 'escape';
    else if (byte === NEWLINE) {
      this.#begin(0);
      this.#drawn.moveDown(1);
    } else if (byte === 0x0d) {
      this.#begin(0);
      this.#drawn.stayInRow();
    } else if (byte === 0x08) {
      this.#begin(Math.max(0, this.#column - 1));
      this.#drawn.stayInRow();
    } else if (byte === 0x09) this.#put(BLANKS, 0, 1);
  }

  #sequence(byte: number): void {
    if (byte === ESC) this.#state = 'escape';
    else if (ABORTS.has(byte)) this.#state = 'ground';
    else if (this.#state === 'string') {
      if (byte === 0x07) this.#state = 'ground';
    } else if (byte < SPACE) this.#control(byte);
    else if (this.#state === 'escape') this.#escape(byte);
    else this.#csi(byte);
  }

  #escape(byte: number): void {
    if (byte === 0x5b) {
      this.#state = 'csi';
      this.#numbers.fill(0);
      this.#number = 0;
    } else if (STRINGS.has(byte)) this.#state = 'string';
    // Intermediates, as in the choice of a character set, are followed by one more.
    else if (byte >= 0x30) {
      this.#state = 'ground';
      // Restored cursor, reset.
      if (byte === 0x38 || byte === 0x63) this.#jump(0);
    }
  }

  #csi(byte: number): void {
    if (byte >= 0x30 && byte <= 0x39) {
      const digits = (this.#numbers[this.#number] ?? 0) * 10 + byte - 0x30;
      if (this.#number < 2) this.#numbers[this.#number] = Math.min(digits, MAX_MOVE);
    } else if (byte === 0x3b) this.#number += 1;
    else if (byte >= 0x40) {
      this.#state = 'ground';
      this.#move(String.fromCharCode(byte));
    }
  }

  #move(final: string): void {
    const [first = 0, second = 0] = this.#numbers;
    const count = Math.max(1, first);
    switch (final) {
      case 'A':
      case 'F':
        this.#begin(final === 'F' ? 0 : this.#column);
        return this.#drawn.moveUp(count);
      case 'B':
      case 'E':
        this.#begin(final === 'E' ? 0 : this.#column);
        return this.#drawn.moveDown(count);
      // A gap that is skipped, not drawn: blanks between words.
      case 'C':
        this.#put(BLANKS, 0, Math.min(count, MAX_INDENT));
        this.#column += Math.max(0, count - MAX_INDENT);
        return;
      case 'D':
        this.#begin(Math.max(0, this.#column - count));
        return this.#drawn.stayInRow();
      case 'G':
      case '`':
        this.#begin(count - 1);
        return this.#drawn.stayInRow();
      case 'H':
      case 'f':
        return this.#jump(Math.max(1, second) - 1);
      case 'd':
      case 'u':
        return this.#jump(this.#column);
    }
  }

  #jump(column: number): void {
    this.#begin(column);
    this.#drawn.jump();
  }
}

/**
 * The index behind a whole sequence that begins here and only colours or erases: most do, and they
 * cost the most. The same index where there is none.
 */
function behindColour(bytes: Uint8Array, from: number): number {
  if (bytes[from + 1] !== 0x5b) return from;
  let at = from + 2;
  let byte = bytes[at] ?? 0;
  while (byte >= 0x30 && byte <= 0x3b) {
    at += 1;
    byte = bytes[at] ?? 0;
  }
  return byte === COLOUR || byte === ERASE_ROW ? at + 1 : from;
}

function isPrintable(byte: number): boolean {
  return byte >= SPACE && byte !== DEL;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
