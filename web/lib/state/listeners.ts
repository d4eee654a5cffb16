/** Those who want to be told of something that happens many times. */
export class Listeners<Value> {
  readonly #listeners = new Set<(value: Value) => void>();

  /** Tells the listener from now on; the result ends it. */
  add(listener: (value: Value) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(value: Value): void {
    for (const listener of this.#listeners) listener(value);
  }
}
