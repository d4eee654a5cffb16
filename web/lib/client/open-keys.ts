/**
 * The keys of requests whose outcome is unknown. The same request again, from the same button or
 * form, gets the same key, so it is done once.
 */
import { newKey } from '$shared/rules/idempotency.ts';

/** Who asks for the same much later means it: the request then gets a new key. */
const OPEN_MS = 10 * 60_000;

interface OpenKey {
  key: string;
  sinceMs: number;
}

export class OpenKeys {
  readonly #keys = new Map<string, OpenKey>();
  readonly #now: () => number;

  constructor(now: () => number = () => Date.now()) {
    this.#now = now;
  }

  /** `request`: all of it, so that another one has another key. */
  keyOf(request: string): string {
    const nowMs = this.#now();
    for (const [other, { sinceMs }] of this.#keys) {
      if (nowMs - sinceMs >= OPEN_MS) this.#keys.delete(other);
    }
    const known = this.#keys.get(request);
    if (known !== undefined) return known.key;
    const key = newKey();
    this.#keys.set(request, { key, sinceMs: nowMs });
    return key;
  }

  /** Its outcome is known: the next one is another request. */
  settle(request: string): void {
    this.#keys.delete(request);
  }
}
