/** The listeners of a recurring event. */
export class Listeners<Value> {
  readonly #listeners = new Set<(value: Value) => void>();

  /** Notifies the listener from now on; call the result to stop. */
  add(listener: (value: Value) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(value: Value): void {
    for (const listener of this.#listeners) listener(value);
  }
}
