/**
 * Feeds terminal output to the emulator and keeps it from piling up: output that cannot be drawn in
 * time could not have been read either, and keys would wait behind it. A full redraw follows.
 */

/** About a tenth of a second of drawing. */
const MAX_WAITING_BYTES = 1024 * 1024;

export interface DisplayIntakeOptions {
  /** Draws the bytes and calls `done` when they are drawn. */
  write: (bytes: Uint8Array, done: () => void) => void;
  /** Some bytes were dropped, and all accepted ones are drawn. */
  onIncomplete: () => void;
}

export class DisplayIntake {
  readonly #options: DisplayIntakeOptions;
  #waiting = 0;
  #isIncomplete = false;
  /** Output received while drawing is on hold. */
  #held: Uint8Array[] | null = null;

  constructor(options: DisplayIntakeOptions) {
    this.#options = options;
  }

  /** `bytes` must not end inside an escape sequence. */
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

  /** Holds output until `release`, because something else is drawn first. */
  hold(): void {
    this.#held = [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const bytes of held) this.push(bytes);
  }

  /** The output from here on starts with a full redraw. */
  restart(): void {
    this.#isIncomplete = false;
  }

  #drawn(count: number): void {
    this.#waiting -= count;
    if (this.#isIncomplete && this.#waiting === 0) this.#options.onIncomplete();
  }
}
