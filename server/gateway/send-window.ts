/**
 * How much may be under way between two hosts. A channel is held back by the other host; this, by
 * the person behind it: the host between them confirms what that person has taken.
 */

/** Confirmed in lots, not for each message. */
const LOT_BYTES = 32 * 1024;
const MAX_BYTES = 256 * 1024;
const LOW_BYTES = 64 * 1024;
const MARK = '+';

/** Of the end that sends. */
export class SendWindow {
  #sent = 0;
  #taken = 0;

  get bytes(): number {
    return this.#sent - this.#taken;
  }

  get isFull(): boolean {
    return this.bytes >= MAX_BYTES;
  }

  /** What is under way is about to be taken. */
  get isLow(): boolean {
    return this.bytes <= LOW_BYTES;
  }

  sent(bytes: number): void {
    this.#sent += bytes;
  }

  /** False for a text that confirms nothing. */
  confirm(text: string): boolean {
    const [, total] = /^\+(\d{1,15})$/.exec(text) ?? [];
    if (total === undefined) return false;
    this.#taken = Math.min(this.#sent, Math.max(this.#taken, Number(total)));
    return true;
  }
}

/** Of the end that receives. */
export class Taken {
  readonly #say: (text: string) => void;
  #total = 0;
  #said = 0;

  constructor(say: (text: string) => void) {
    this.#say = say;
  }

  add(bytes: number): void {
    this.#total += bytes;
    if (this.#total - this.#said < LOT_BYTES) return;
    this.#said = this.#total;
    this.#say(`${MARK}${this.#total}`);
  }
}
