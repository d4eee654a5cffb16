import type { TapListener } from './terminal.ts';

/**
 * The way to one listener. While it is held, what is to be told waits: the code that awaits a
 * snapshot must run before it hears of anything that came after.
 */
export class TapLine implements TapListener {
  readonly #listener: TapListener;
  #waiting: (() => void)[] | null = null;
  #open = true;

  constructor(listener: TapListener) {
    this.#listener = listener;
  }

  output(bytes: Uint8Array): void {
    this.#tell(() => this.#listener.output(bytes));
  }

  skipped(): void {
    this.#tell(() => this.#listener.skipped());
  }

  /** The last that is told. */
  ended(): void {
    this.#tell(() => {
      this.#open = false;
      this.#listener.ended();
    });
  }

  /** Holds until every promise that is settled now was seen by those who await it. */
  hold(): void {
    if (this.#waiting !== null) return;
    this.#waiting = [];
    setImmediate(() => this.#release());
  }

  /** Nothing is told any more. */
  close(): void {
    this.#open = false;
  }

  #tell(act: () => void): void {
    if (this.#waiting !== null) this.#waiting.push(act);
    else if (this.#open) act();
  }

  #release(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const act of waiting) this.#tell(act);
  }
}
