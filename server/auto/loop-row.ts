/**
 * The row of one loop: written with its events, its clock when the daemon stops. What ends or fails
 * gives its session back in the same transaction.
 */
import type { Append } from '../events/event-log.ts';
import { isSameRow } from './auto-store.ts';
import { atWorkMs, loopWork } from './loop-usage.ts';
import type { LoopState, Transition } from './machine/loop-state.ts';
import type { SupervisorOptions } from './supervisor-options.ts';

type RowOptions = Pick<
  SupervisorOptions,
  'log' | 'store' | 'sessions' | 'budgets' | 'clock' | 'logger' | 'heartbeatMs'
>;

export class LoopRow {
  readonly #options: RowOptions;
  /** The loop's clock as it was last stored. */
  #savedAgeMs: number;

  constructor({ ageMs }: LoopState, options: RowOptions) {
    this.#savedAgeMs = ageMs;
    this.#options = options;
  }

  /** A clock alone is stored once per heartbeat. */
  isWorthStoring(before: LoopState, after: LoopState): boolean {
    const isLate = after.ageMs - this.#savedAgeMs >= this.#options.heartbeatMs;
    return isLate || !isSameRow(before, after);
  }

  /** Part of the caller's transaction. `ageMs` is the loop's clock. */
  store(append: Append, before: LoopState, { state }: Transition, ageMs: number): void {
    const { sessionName } = before;
    const { store, sessions, clock, budgets } = this.#options;
    const after = state ?? { ...before, ageMs };
    budgets.worked(loopWork(before, sessions), atWorkMs(after) - atWorkMs(before));
    if (state === null) store.remove(sessionName);
    else store.save(state, clock.now());
    if (state === null || state.status === 'failed') sessions.owners.release(append, sessionName);
    this.#savedAgeMs = state?.ageMs ?? 0;
  }

  /** The daemon stops: without this, the time since the last event would count. Never throws. */
  storeClock(state: LoopState, ageMs: number): void {
    const { log, store, clock, logger } = this.#options;
    try {
      log.write(() => store.save({ ...state, ageMs }, clock.now()));
    } catch (error) {
      logger.error({ err: error, session: state.sessionName }, 'not stored');
    }
  }
}
