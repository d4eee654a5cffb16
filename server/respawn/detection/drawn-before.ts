/**
 * Distinguishes new text from text that is drawn again. A piece counts as drawn again when it is drawn over
 * rows that are there already and equals one that was drawn lately; text that scrolls in is new,
 * even if it says the same.
 */

/** A whole screen of pieces, twice. */
const REMEMBERED = 256;
/** Rows below an absolute position that may be there already. */
const WHOLE_SCREEN = 500;
/** Drawn over other text, so few characters are a cursor, a digit, a spinner. */
const TRIVIAL = 2;
const SPACE = 0x20;

export class DrawnBefore {
  readonly #hashes = new Int32Array(REMEMBERED);
  #next = 0;
  /** How many rows, from the cursor's on, are drawn over. */
  #rowsOver = 0;
  /** Anything was drawn in the row of the cursor. */
  #isRowDrawn = false;
  #hash = 0;
  #visible = 0;
  /** Of the visible characters of this piece, those that were taken already. */
  #taken = 0;
  #fresh = 0;
  #hasText = false;

  /** Anything was drawn in this piece, blanks included. */
  get hasText(): boolean {
    return this.#hasText;
  }

  /** Reads printable bytes of the piece. Returns how many characters begin in them. */
  draw(bytes: Uint8Array, from: number, to: number): number {
    let hash = this.#hash;
    let visible = 0;
    let blanks = 0;
    // Indexed: an iterator costs three times as much here, and this runs for every byte.
    for (let at = from; at < to; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte === SPACE) blanks += 1;
      else {
        hash = Math.imul(hash ^ byte, 0x01000193);
        if ((byte & 0xc0) !== 0x80) visible += 1;
      }
    }
    this.#hash = hash;
    this.#visible += visible;
    this.#hasText = true;
    this.#isRowDrawn = true;
    return visible + blanks;
  }

  endPiece(): void {
    if (this.#visible > 0) {
      if (this.#rowsOver === 0) this.#fresh += this.#visible - this.#taken;
      else if (this.#visible > TRIVIAL && !this.#hashes.includes(this.#hash)) {
        this.#fresh += this.#visible;
      }
      this.#hashes[this.#next] = this.#hash;
      this.#next = (this.#next + 1) % REMEMBERED;
    }
    this.#hash = 0;
    this.#visible = 0;
    this.#taken = 0;
    this.#hasText = false;
  }

  /** Visible new characters since the last call. A piece drawn over others counts when it is whole. */
  takeFresh(): number {
    if (this.#rowsOver === 0) {
      this.#fresh += this.#visible - this.#taken;
      this.#taken = this.#visible;
    }
    const fresh = this.#fresh;
    this.#fresh = 0;
    return fresh;
  }

  moveUp(rows: number): void {
    this.stayInRow();
    this.#rowsOver += rows;
  }

  moveDown(rows: number): void {
    this.#rowsOver = Math.max(0, this.#rowsOver - rows);
    this.#isRowDrawn = false;
  }

  stayInRow(): void {
    if (this.#isRowDrawn) this.#rowsOver = Math.max(1, this.#rowsOver);
  }

  jump(): void {
    this.#rowsOver = WHOLE_SCREEN;
  }
}
