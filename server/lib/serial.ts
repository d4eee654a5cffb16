/** One thing at a time for each key; different keys do not wait for each other. */
export class Serial {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Runs `act` after everything submitted earlier for the same key; returns its outcome. */
  async run<Result>(key: string, act: () => Promise<Result>): Promise<Result> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(act, act);
    const tail = result.catch(() => undefined);
    this.#tails.set(key, tail);
    try {
      return await result;
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}
