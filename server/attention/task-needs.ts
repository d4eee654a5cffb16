/**
 * What tasks need a person for: at most one open item each. A task and its item are in the
 * database: the end of the daemon does not end them.
 */
import type { Reason } from '../../shared/schema/reasons.ts';
import { type Subject, subjectRef } from '../../shared/schema/events/subject.ts';
import type { Need } from './attention-for.ts';
import type { AttentionRecord } from './attention-record.ts';
import type { AttentionStore } from './attention-store.ts';
import { reconcile } from './reconcile.ts';

const NO_REQUESTS: ReadonlySet<string> = new Set();

export class TaskNeeds {
  readonly #record: AttentionRecord;
  readonly #store: AttentionStore;
  /**
   * The reason a person dismissed, by subject, until the need ends or changes; null: none. A
   * missing subject was not read yet: it may have been dismissed under an earlier daemon.
   */
  readonly #dismissed = new Map<string, Reason | null>();

  constructor(record: AttentionRecord, store: AttentionStore) {
    this.#record = record;
    this.#store = store;
  }

  /** Null: no person is needed. `live`: items with a request, which stay. Throws storage errors. */
  require(subject: Subject, need: Need | null, live = NO_REQUESTS): void {
    const isDismissed = need !== null && this.#dismissedOf(subject) === need.reason;
    if (!isDismissed) this.#dismissed.set(subjectRef(subject), null);
    const change = reconcile({
      open: this.#store.openOf(subject),
      live,
      need: isDismissed ? null : need,
      outcome: 'resolved',
    });
    this.#record.apply(subject, change);
  }

  dismiss({ subject, reason }: { subject: Subject; reason: Reason }): void {
    this.#dismissed.set(subjectRef(subject), reason);
  }

  /** The subject was removed. Throws storage errors. */
  close(subject: Subject): void {
    this.#dismissed.delete(subjectRef(subject));
    this.#record.clearGone(this.#store.openOf(subject));
  }

  #dismissedOf(subject: Subject): Reason | null {
    const known = this.#dismissed.get(subjectRef(subject));
    if (known !== undefined) return known;
    const [last] = this.#store.newest(1, subject);
    const found = last?.outcome === 'dismissed' ? last.reason : null;
    this.#dismissed.set(subjectRef(subject), found);
    return found;
  }
}
