/**
 * The row of one loop: written with its events, its clock also in between. What ends or fails gives
 * its session back in the same transaction.
 */
import type { Append } from '../../events/event-log.ts';
import { atWorkMs, loopWork } from './loop-usage.ts';
import type { LoopState, Transition } from '../machine/loop-state.ts';
import type { SupervisorOptions } from './supervisor-options.ts';

type RowOptions = Pick<SupervisorOptions, 'store' | 'sessions' | 'budgets' | 'clock'>;

export class LoopRow {
  readonly #options: RowOptions;
  /** The time at work that the ledger has, and with the last write, which may not be committed. */
  #workMs: number;
  #written: { state: LoopState; workMs: number } | null = null;

  constructor(state: LoopState, options: RowOptions) {
    this.#workMs = atWorkMs(state);
    this.#options = options;
  }

  /** Part of the caller's transaction. `ageMs` is the loop's clock. */
  store(append: Append, before: LoopState, { state }: Transition, ageMs: number): void {
    const { sessionName } = before;
    const { store, sessions } = this.#options;
    if (state !== null) this.#save(state, state);
    else {
      this.#worked({ ...before, ageMs });
      store.remove(sessionName);
    }
    if (state === null || state.status === 'failed') sessions.owners.release(append, sessionName);
  }

  /**
   * Part of the caller's transaction: a clock moves on without an event. What it returns is called
   * after the commit.
   */
  storeClock(state: LoopState | null, ageMs: number): () => void {
    if (state === null || state.status === 'failed') return () => undefined;
    this.#save(state, { ...state, ageMs });
    return () => this.committed(state);
  }

  /** Milliseconds at work that the ledger does not have yet. */
  unstoredMs(state: LoopState, ageMs: number): number {
    return atWorkMs({ ...state, ageMs }) - this.#workMs;
  }

  /** After the commit, if there was one for that state. */
  committed(state: LoopState): void {
    if (this.#written?.state === state) this.#workMs = this.#written.workMs;
  }

  #save(state: LoopState, now: LoopState): void {
    const { store, clock } = this.#options;
    this.#written = { state, workMs: this.#worked(now) };
    store.save(now, clock.now());
  }

  #worked(now: LoopState): number {
    const { sessions, budgets } = this.#options;
    const workMs = atWorkMs(now);
    budgets.worked(loopWork(now, sessions), workMs - this.#workMs);
    return workMs;
  }
}
