import { randomSecret } from '../lib/random-id.ts';
import { hashSecret } from './secret-hash.ts';

/** The oldest gives way; nobody holds as many. */
const MAX_OUTSTANDING = 1_000;

export interface Issued {
  secret: string;
  expiresAtMs: number;
}

/** Secrets that live for minutes and are used once: kept in memory, by their hash. */
export class OneTimeSecrets<Value> {
  readonly #lifeMs: number;
  /** Maps keep the order of insertion: the first key is the oldest. */
  readonly #known = new Map<string, { value: Value; expiresAtMs: number }>();

  constructor(lifeMs: number) {
    this.#lifeMs = lifeMs;
  }

  /** Takes what a secret shall stand for, and the wall time; gives the secret. */
  issue(value: Value, nowMs: number): Issued {
    const secret = randomSecret();
    const expiresAtMs = nowMs + this.#lifeMs;
    const oldest = this.#known.keys().next().value;
    if (this.#known.size >= MAX_OUTSTANDING && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(hashSecret(secret), { value, expiresAtMs });
    return { secret, expiresAtMs };
  }

  /** Gives what a secret stands for, undefined when it is none or too old. */
  look(secret: string, nowMs: number): Value | undefined {
    const found = this.#known.get(hashSecret(secret));
    return found === undefined || found.expiresAtMs < nowMs ? undefined : found.value;
  }

  /** The same, and uses it up. */
  take(secret: string, nowMs: number): Value | undefined {
    const value = this.look(secret, nowMs);
    this.#known.delete(hashSecret(secret));
    return value;
  }
}
