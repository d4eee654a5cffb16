import type { TapListener } from './terminal.ts';

/**
 * The way to one listener: what is told and what is answered stay in their order. After an answer the
 * rest waits, because the code that awaits it must run before it hears of anything that came after.
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

  /** The last that is told. */
  ended(): void {
    this.#deliver(() => {
      this.#open = false;
      this.#listener.ended();
    });
  }

  /** Runs `act`, which settles a promise, between what was told before and what comes after. */
  answer(act: () => void): void {
    if (this.#waiting !== null) {
      this.#waiting.push({ act, isAnswer: true });
      return;
    }
    act();
    this.#waiting = [];
    // Every promise that is settled now has been seen by those who await it.
    setImmediate(() => this.#release());
  }

  /** Nothing is told any more; answers still are. */
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
