/**
 * Hands what a terminal draws to the emulator and keeps it from piling up: what an emulator cannot
 * draw in time nobody could have read, and keys would wait behind it. A new picture follows.
 */

/** About a tenth of a second of drawing. */
const MAX_WAITING_BYTES = 1024 * 1024;

export interface DisplayIntakeOptions {
  /** Draws the bytes and calls `done` when they are drawn. */
  write: (bytes: Uint8Array, done: () => void) => void;
  /** Some bytes were left out, and all that was taken is drawn. */
  onIncomplete: () => void;
}

export class DisplayIntake {
  readonly #options: DisplayIntakeOptions;
  #waiting = 0;
  #isIncomplete = false;
  /** What came while nothing may be drawn. */
  #held: Uint8Array[] | null = null;

  constructor(options: DisplayIntakeOptions) {
    this.#options = options;
  }

  /** Takes bytes that end between two sequences. */
  push(bytes: Uint8Array): void {
    if (this.#held !== null) {
      this.#held.push(bytes);
      return;
    }
    const isFull = this.#waiting > 0 && this.#waiting + bytes.length > MAX_WAITING_BYTES;
    if (isFull) this.#isIncomplete = true;
    if (this.#isIncomplete) return;
    this.#waiting += bytes.length;
    this.#options.write(bytes, () => this.#drawn(bytes.length));
  }

  /** Keeps what comes until `release`: something else is drawn first. */
  hold(): void {
    this.#held = [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const bytes of held) this.push(bytes);
  }

  /** What comes from here on starts with a whole picture. */
  restart(): void {
    this.#isIncomplete = false;
  }

  #drawn(count: number): void {
    this.#waiting -= count;
    if (this.#isIncomplete && this.#waiting === 0) this.#options.onIncomplete();
  }
}
