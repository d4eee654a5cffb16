/**
 * The stored side of one loop: its state and its events, always in one transaction. Where a step of a
 * stop cannot be stored, for a full disk perhaps that the very agent has filled, it is taken all the
 * same, and stored with the next that can be.
 */
import type { EventDraft } from '../../shared/events.ts';
import { isWorthSaving } from './is-worth-saving.ts';
import type { LoopEffect, LoopState, Transition } from './machine/loop-state.ts';
import type { SupervisorOptions } from './supervisor-options.ts';

interface Unstored {
  state: LoopState;
  events: readonly EventDraft[];
}

/** What ends an agent; it may be done more than once. */
const ENFORCING: readonly LoopEffect['kind'][] = ['interrupt', 'end_run'];

export class LoopRecord {
  readonly #options: SupervisorOptions;
  readonly #enforce: (effect: LoopEffect, of: LoopState) => void;
  /** The loop's clock as it was last stored. */
  #savedAgeMs: number;
  #unstored: Unstored | null = null;

  /** `enforce` performs an effect of a step that could not be stored. */
  constructor(
    state: LoopState,
    options: SupervisorOptions,
    enforce: (effect: LoopEffect, of: LoopState) => void,
  ) {
    this.#options = options;
    this.#enforce = enforce;
    this.#savedAgeMs = state.ageMs;
  }

  /** Takes the state that is stored; gives the one that goes on: a stop may be further. */
  from(stored: LoopState): LoopState {
    return this.#unstored?.state ?? stored;
  }

  /**
   * Keeps what a transition gave, if it is worth it; the session is free when the loop is over. Gives
   * the seq of the first event that tells of it, null without one. Throws when it cannot be stored;
   * what somebody `asked` for has then not happened.
   */
  keep(before: LoopState, after: Transition, wallMs: number, asked: boolean): number | null {
    const { log, store, sessions, heartbeatMs } = this.#options;
    const { state } = after;
    const events = [...(this.#unstored?.events ?? []), ...after.events];
    const isNews = state === null || events.length > 0 || this.#unstored !== null;
    if (!isNews && !isWorthSaving(before, state, this.#savedAgeMs, heartbeatMs)) return null;
    try {
      const seqs = log.write((append) => {
        const told = events.map((event) => append(event));
        if (state === null) store.remove(before.sessionName);
        else store.save(state, wallMs);
        if (state === null || state.status === 'failed') {
          sessions.owners.release(append, before.sessionName);
        }
        return told;
      });
      this.#savedAgeMs = state?.ageMs ?? 0;
      const first = seqs[this.#unstored?.events.length ?? 0];
      this.#unstored = null;
      return first ?? null;
    } catch (error) {
      if (!asked) this.#goOn(before, after, events);
      throw error;
    }
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

  /** A person's stop that is not stored was refused; a limit is the daemon's own, whoever looks. */
  #goOn(before: LoopState, { state, effects }: Transition, events: readonly EventDraft[]): void {
    if (state?.status !== 'stopping') return;
    if (before.stop === null && state.stop?.by !== 'daemon') return;
    const base = this.from(before);
    const isStep =
      base.status !== state.status ||
      base.stop?.step !== state.stop?.step ||
      base.wait?.reason !== state.wait?.reason;
    const enforcing = effects.filter(({ kind }) => ENFORCING.includes(kind));
    if (!isStep && enforcing.length === 0) return;
    this.#unstored = { state, events };
    for (const effect of enforcing) this.#enforce(effect, state);
  }
}
