/** A display setting, kept in this browser. */
export class Remembered<Value extends string> {
  #value: Value;
  readonly #key: string;

  /**
   * `first` is the default. `values` is a list, or accepts what is stored: anything else is ignored.
   */
  constructor(
    key: string,
    values: readonly Value[] | ((stored: string) => Value | null),
    first: Value,
  ) {
    this.#key = `loopwatch.${key}`;
    const stored = localStorage.getItem(this.#key) ?? '';
    const known =
      typeof values === 'function' ? values(stored) : values.find((value) => value === stored);
    this.#value = $state(known ?? first);
  }

  get value(): Value {
    return this.#value;
  }

  set(value: Value): void {
    this.#value = value;
    localStorage.setItem(this.#key, value);
  }
}
