/** What happens to loops, as far as it concerns the others that wait for the same quota. */
import type { QuotaEnd } from '../../shared/auto-events.ts';
import type { QuotaTurns } from '../agents/quota-turns.ts';
import type { Transition } from './machine/loop-state.ts';

const AT_WORK: readonly QuotaEnd[] = ['by_itself', 'nudged'];

export class ResumeTurns {
  readonly #turns: QuotaTurns;

  constructor(turns: QuotaTurns) {
    this.#turns = turns;
  }

  /** Tells whether a loop may be nudged now. */
  isTurnOf(session: string): boolean {
    return this.#turns.isTurnOf(keyOf(session));
  }

  /** Takes what just happened to a loop. */
  follow(session: string, { state, events, effects }: Transition): void {
    if (effects.some((effect) => effect.kind === 'type' && effect.cause === 'quota')) {
      this.#turns.tried(keyOf(session));
    }
    for (const { type, data } of events) {
      if (type === 'auto.recovery_failed' && data.cause === 'quota') this.#turns.closed();
      if (type === 'auto.quota_left' && AT_WORK.includes(data.how)) this.#turns.opened();
    }
    if (state === null || state.quota === null) this.#turns.left(keyOf(session));
  }
}

/** Tasks take turns with loops, and may have the same names. */
function keyOf(session: string): string {
  return `session ${session}`;
}
