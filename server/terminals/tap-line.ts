import type { TapListener } from './terminal.ts';

/**
 * Passes output and answers to one listener in order. After an answer the rest waits, because the
 * code that awaits it must run before the listener gets anything later.
 */
export class TapLine implements TapListener {
  readonly #listener: TapListener;
  #waiting: { act: () => void; isAnswer: boolean }[] | null = null;
  #open = true;

  constructor(listener: TapListener) {
    this.#listener = listener;
  }

  output(bytes: Uint8Array): void {
    this.#deliver(() => this.#listener.output(bytes));
  }

  skipped(): void {
    this.#deliver(() => this.#listener.skipped());
  }

  /** The last call. */
  ended(): void {
    this.#deliver(() => {
      this.#open = false;
      this.#listener.ended();
    });
  }

  /** Runs `act`, which settles a promise, between the output before and after it. */
  answer(act: () => void): void {
    if (this.#waiting !== null) {
      this.#waiting.push({ act, isAnswer: true });
      return;
    }
    act();
    this.#waiting = [];
    // By then every await of a promise settled now has continued.
    setImmediate(() => this.#release());
  }

  /** No more output; answers still follow. */
  close(): void {
    this.#open = false;
  }

  #deliver(act: () => void): void {
    if (this.#waiting !== null) this.#waiting.push({ act, isAnswer: false });
    else if (this.#open) act();
  }

  #release(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const { act, isAnswer } of waiting) {
      if (isAnswer) this.answer(act);
      else this.#deliver(act);
    }
  }
}
