/** A display setting, kept in this browser. */
export class Remembered<Value extends string> {
  #value: Value;
  readonly #key: string;

  /** `first` is the default. */
  constructor(key: string, values: readonly Value[], first: Value) {
    this.#key = `loopwatch.${key}`;
    const stored = localStorage.getItem(this.#key);
    this.#value = $state(values.find((value) => value === stored) ?? first);
  }

  get value(): Value {
    return this.#value;
  }

  set(value: Value): void {
    this.#value = value;
    localStorage.setItem(this.#key, value);
  }
}
