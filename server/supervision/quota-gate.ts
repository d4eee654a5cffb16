/**
 * Who may try first when many wait for the same quota: one goes alone; once it is at work the others
 * follow at a distance. Supervisors of one account share one gate.
 */
import type { Clock } from '../lib/clock.ts';

/** Between two tries that follow one which went well. */
const STAGGER_MS = 5_000;
/** A quota that let one through lets others through for this long without another first one. */
const OPEN_MS = 10 * 60_000;
/** After a first one that failed the next waits, because the quota seems to be closed. */
const CLOSED_MS = 60_000;

/**
 * `tried`: a try has begun. `opened`: it is at work, by a try or without one. `closed`: a try ran into
 * the limit again. `left`: it waits no longer, and holds nothing up.
 */
export type QuotaReport = 'tried' | 'opened' | 'closed' | 'left';

export class QuotaGate {
  readonly #clock: Clock;
  /** The one that went first, until its result is known. */
  #first: string | null = null;
  #openUntilMs = 0;
  #nextMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether that one may try now. */
  admits(who: string): boolean {
    const nowMs = this.#clock.monotonic();
    if (nowMs < this.#nextMs) return false;
    return nowMs < this.#openUntilMs || this.#first === null || this.#first === who;
  }

  report(who: string, news: QuotaReport): void {
    const nowMs = this.#clock.monotonic();
    switch (news) {
      case 'tried':
        this.#nextMs = nowMs + STAGGER_MS;
        if (nowMs >= this.#openUntilMs) this.#first = who;
        return;
      case 'opened':
        this.#first = null;
        this.#openUntilMs = nowMs + OPEN_MS;
        return;
      case 'closed':
        this.#first = null;
        this.#openUntilMs = 0;
        this.#nextMs = nowMs + CLOSED_MS;
        return;
      case 'left':
        if (this.#first === who) this.#first = null;
    }
  }
}
