/** Reads a loop again once the time that its wait names has come: no event says what follows then. */

/** The daemon's clock may be a little behind that of the browser. */
const AFTER_MS = 1_500;
/** The longest delay of a timer. */
const MAX_DELAY_MS = 2_147_483_647;

export class DueReads {
  readonly #read: (name: string) => void;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(read: (name: string) => void) {
    this.#read = read;
  }

  /** Replaces what was known of this loop; `until` is the time its wait names. */
  follow(name: string, until: string | null): void {
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
    const leftMs = until === null ? 0 : Date.parse(until) - Date.now();
    if (leftMs <= 0) return;
    const delayMs = Math.min(leftMs + AFTER_MS, MAX_DELAY_MS);
    this.#timers.set(
      name,
      setTimeout(() => this.#read(name), delayMs),
    );
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
