/**
 * Whose turn it is to be nudged when many loops wait for the same quota: one goes first and alone;
 * once it is at work the others follow at a distance.
 */
import type { QuotaEnd } from '../../shared/auto-events.ts';
import type { Clock } from '../lib/clock.ts';
import type { Transition } from './machine/loop-state.ts';

/** Between two nudges of loops that follow one which went well. */
const STAGGER_MS = 5_000;
/** A quota that let one through lets others through for this long without another first one. */
const OPEN_MS = 10 * 60_000;
/** After a first one that went wrong the next waits, as the quota seems to be closed. */
const CLOSED_MS = 60_000;

const AT_WORK: readonly QuotaEnd[] = ['by_itself', 'nudged'];

export class ResumeTurns {
  readonly #clock: Clock;
  /** The one that went first, until it is known how it went. */
  #first: string | null = null;
  #openUntilMs = 0;
  #nextMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Tells whether a loop may be nudged now. */
  isTurnOf(session: string): boolean {
    const nowMs = this.#clock.monotonic();
    if (nowMs < this.#nextMs) return false;
    return nowMs < this.#openUntilMs || this.#first === null || this.#first === session;
  }

  /** Takes what just happened to a loop, as far as it concerns the others. */
  follow(session: string, { state, events, effects }: Transition): void {
    if (effects.some((effect) => effect.kind === 'type' && effect.cause === 'quota')) {
      this.#nudged(session);
    }
    for (const { type, data } of events) {
      if (type === 'auto.recovery_failed' && data.cause === 'quota') this.#failed();
      if (type === 'auto.quota_left' && AT_WORK.includes(data.how)) this.#resumed();
    }
    // A loop that is over holds nobody up.
    if ((state === null || state.quota === null) && this.#first === session) this.#first = null;
  }

  #nudged(session: string): void {
    const nowMs = this.#clock.monotonic();
    this.#nextMs = nowMs + STAGGER_MS;
    if (nowMs >= this.#openUntilMs) this.#first = session;
  }

  /** By a nudge or by itself: the quota is open. */
  #resumed(): void {
    this.#first = null;
    this.#openUntilMs = this.#clock.monotonic() + OPEN_MS;
  }

  #failed(): void {
    this.#first = null;
    this.#openUntilMs = 0;
    this.#nextMs = this.#clock.monotonic() + CLOSED_MS;
  }
}
