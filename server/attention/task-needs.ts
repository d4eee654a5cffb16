/**
 * What tasks need a person for: one open item of a task at most. A task is in the database whatever
 * the daemon does, and so is its item: the end of the daemon does not end it.
 */
import type { Reason } from '../../shared/reasons.ts';
import type { Need } from './attention-for.ts';
import type { AttentionRecord } from './attention-record.ts';
import type { AttentionStore } from './attention-store.ts';
import { reconcile } from './reconcile.ts';

const NO_REQUESTS: ReadonlySet<string> = new Set();

export class TaskNeeds {
  readonly #record: AttentionRecord;
  readonly #store: AttentionStore;
  /**
   * What a person waved away, by task, until the task needs nobody or something else; null for
   * nothing. What is missing here is not known yet: a daemon before this one may have been told.
   */
  readonly #dismissed = new Map<string, Reason | null>();

  constructor(record: AttentionRecord, store: AttentionStore) {
    this.#record = record;
    this.#store = store;
  }

  /** Takes what a task needs a person for, null when nobody is needed. Throws storage errors. */
  require(task: string, need: Need | null): void {
    const isDismissed = need !== null && this.#dismissedOf(task) === need.reason;
    if (!isDismissed) this.#dismissed.set(task, null);
    const change = reconcile({
      open: this.#store.openOfTask(task),
      live: NO_REQUESTS,
      need: isDismissed ? null : need,
      outcome: 'resolved',
    });
    this.#record.apply({ session: null, task }, change);
  }

  /** Takes a task and the reason of the item that a person took off the list. */
  dismiss(task: string, reason: Reason): void {
    this.#dismissed.set(task, reason);
  }

  /** The task is there no more. Throws storage errors. */
  close(task: string): void {
    this.#dismissed.delete(task);
    this.#record.clearGone(this.#store.openOfTask(task));
  }

  #dismissedOf(task: string): Reason | null {
    const known = this.#dismissed.get(task);
    if (known !== undefined) return known;
    const last = this.#store.newestOfTask(task);
    const found = last?.outcome === 'dismissed' ? last.reason : null;
    this.#dismissed.set(task, found);
    return found;
  }
}
