import { createHash, timingSafeEqual } from 'node:crypto';
import { randomSecret } from '../lib/random-id.ts';

/** A person who creates more loses their own oldest. */
const MAX_PER_OWNER = 1_000;
/** Beyond it, the person with the most loses their oldest. */
const MAX_TOTAL = 10_000;
const MARK_DIGITS = 16;

export interface Issued {
  secret: string;
  expiresAtMs: number;
}

/**
 * A moment on both clocks. A wall clock may be set back, and monotonic time pauses during sleep.
 */
export interface Moment {
  wallMs: number;
  monotonicMs: number;
}

interface Kept<Value> {
  value: Value;
  /** It lives no longer than either of them allows. */
  expires: Moment;
}

/** Secrets that live for minutes and are used once: kept in memory, by their hash. */
export class OneTimeSecrets<Value> {
  readonly #lifeMs: number;
  /** By owner, then by hash. Maps keep the order of insertion: the first key is the oldest. */
  readonly #owners = new Map<string, Map<string, Kept<Value>>>();

  constructor(lifeMs: number) {
    this.#lifeMs = lifeMs;
  }

  issue(value: Value, owner: string, now: Moment): Issued {
    const secret = randomSecret();
    const expires = {
      wallMs: now.wallMs + this.#lifeMs,
      monotonicMs: now.monotonicMs + this.#lifeMs,
    };
    this.#dropExpired(now);
    const own = this.#owners.get(owner) ?? new Map<string, Kept<Value>>();
    this.#owners.set(owner, own);
    own.set(hashSecret(secret), { value, expires });
    if (own.size > MAX_PER_OWNER) dropOldest(own);
    const all = [...this.#owners.values()];
    if (all.reduce((sum, { size }) => sum + size, 0) > MAX_TOTAL) {
      dropOldest(all.reduce((most, each) => (each.size > most.size ? each : most)));
    }
    return { secret, expiresAtMs: expires.wallMs };
  }

  /** Undefined for an unknown or expired secret. */
  peek(secret: string, now: Moment): Value | undefined {
    const hash = hashSecret(secret);
    for (const own of this.#owners.values()) {
      const found = own.get(hash);
      if (found !== undefined) return isOver(found.expires, now) ? undefined : found.value;
    }
    return undefined;
  }

  /** The same, and uses it up. */
  take(secret: string, now: Moment): Value | undefined {
    const value = this.peek(secret, now);
    for (const own of this.#owners.values()) own.delete(hashSecret(secret));
    return value;
  }

  /** All secrets live equally long, so the oldest expire first. */
  #dropExpired(now: Moment): void {
    for (const [owner, own] of this.#owners) {
      for (const [hash, { expires }] of own) {
        if (!isOver(expires, now)) break;
        own.delete(hash);
      }
      if (own.size === 0) this.#owners.delete(owner);
    }
  }
}

/**
 * Hex SHA-256 of a secret of 256 random bits, which needs no slow hash: there is nothing to guess.
 */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Of the hash of a token: differs between tokens, and shows nothing of them. */
export function markOf(tokenHash: string): string {
  return hashSecret(tokenHash).slice(0, MARK_DIGITS);
}

/** In constant time: the duration does not show where they differ. */
export function sameHash(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

function isOver(expires: Moment, now: Moment): boolean {
  return expires.wallMs < now.wallMs || expires.monotonicMs < now.monotonicMs;
}

function dropOldest(secrets: Map<string, unknown>): void {
  const oldest = secrets.keys().next().value;
  if (oldest !== undefined) secrets.delete(oldest);
}
