/**
 * Who may try first when many wait for the same quota: one goes alone; once it is at work the
 * others follow at a distance. Supervisors of one account share one gate.
 */
import type { Clock } from '../lib/clock.ts';

/** Between two tries after a successful one. */
const STAGGER_MS = 5_000;
/** After a success, others are admitted for this long without another first one. */
const OPEN_MS = 10 * 60_000;
/** After a failed first try the next one waits, because the quota seems to be closed. */
const CLOSED_MS = 60_000;

/**
 * `tried`: a try has begun. `opened`: it is at work, with or without a try. `closed`: a try ran
 * into the limit again. `left`: it no longer waits, and blocks nothing.
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
