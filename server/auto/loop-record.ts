/** The stored side of one loop: its state and its events, always in one transaction. */
import { isWorthSaving } from './is-worth-saving.ts';
import type { LoopState, Transition } from './machine/loop-state.ts';
import type { SupervisorOptions } from './supervisor-options.ts';

export class LoopRecord {
  readonly #options: SupervisorOptions;
  /** The loop's clock as it was last stored. */
  #savedAgeMs: number;

  constructor(state: LoopState, options: SupervisorOptions) {
    this.#options = options;
    this.#savedAgeMs = state.ageMs;
  }

  /**
   * Keeps what a transition gave, if it is worth it; the session is free when the loop is over. Gives
   * the seq of the first event that tells of it, null without one.
   */
  keep(before: LoopState, { state, events }: Transition, wallMs: number): number | null {
    const { log, store, sessions, heartbeatMs } = this.#options;
    const isNews = state === null || events.length > 0;
    if (!isNews && !isWorthSaving(before, state, this.#savedAgeMs, heartbeatMs)) return null;
    const [seq = null] = log.write((append) => {
      const seqs = events.map((event) => append(event));
      if (state === null) store.remove(before.sessionName);
      else store.save(state, wallMs);
      if (state === null || state.status === 'failed') {
        sessions.owners.release(append, before.sessionName);
      }
      return seqs;
    });
    this.#savedAgeMs = state?.ageMs ?? 0;
    return seq;
  }

  /** Keeps the clock alone, if it can be kept: without it, time since the last word counts. */
  keepClock(state: LoopState, ageMs: number): void {
    const { log, store, clock, logger } = this.#options;
    try {
      log.write(() => store.save({ ...state, ageMs }, clock.now()));
    } catch (error) {
      logger.error({ err: error, session: state.sessionName }, 'not stored');
    }
  }
}
