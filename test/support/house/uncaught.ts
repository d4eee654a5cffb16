/** Uncaught exceptions during a test: in a daemon each would be its end. */
export class Uncaught {
  readonly errors: unknown[] = [];
  readonly #note = (error: unknown) => void this.errors.push(error);

  constructor() {
    process.on('uncaughtException', this.#note);
    process.on('unhandledRejection', this.#note);
  }

  [Symbol.dispose](): void {
    process.off('uncaughtException', this.#note);
    process.off('unhandledRejection', this.#note);
  }
}
