/**
 * Whose turn it is to try when many wait for the same quota: one goes first and alone; once it is at
 * work the others follow at a distance. Loops and tasks share one account, so they share this.
 */
import type { Clock } from '../lib/clock.ts';

/** Between two tries that follow one which went well. */
const STAGGER_MS = 5_000;
/** A quota that let one through lets others through for this long without another first one. */
const OPEN_MS = 10 * 60_000;
/** After a first one that went wrong the next waits, as the quota seems to be closed. */
const CLOSED_MS = 60_000;

export class QuotaTurns {
  readonly #clock: Clock;
  /** The one that went first, until it is known how it went. */
  #first: string | null = null;
  #openUntilMs = 0;
  #nextMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Tells whether that one may try now. */
  isTurnOf(who: string): boolean {
    const nowMs = this.#clock.monotonic();
    if (nowMs < this.#nextMs) return false;
    return nowMs < this.#openUntilMs || this.#first === null || this.#first === who;
  }

  tried(who: string): void {
    const nowMs = this.#clock.monotonic();
    this.#nextMs = nowMs + STAGGER_MS;
    if (nowMs >= this.#openUntilMs) this.#first = who;
  }

  /** One is at work, by a try or by itself: the quota is open. */
  opened(): void {
    this.#first = null;
    this.#openUntilMs = this.#clock.monotonic() + OPEN_MS;
  }

  /** A try ran into the limit again. */
  closed(): void {
    this.#first = null;
    this.#openUntilMs = 0;
    this.#nextMs = this.#clock.monotonic() + CLOSED_MS;
  }

  /** That one does not wait any more, and holds nobody up. */
  left(who: string): void {
    if (this.#first === who) this.#first = null;
  }
}
