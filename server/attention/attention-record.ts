/**
 * Every change of an item together with its event, in one transaction. Knows nothing of who waits.
 */
import type {
  AgentRequest,
  AttentionItem,
  AttentionOutcome,
} from '../../shared/schema/attention/attention.ts';
import type { Subject } from '../../shared/schema/events/subject.ts';
import type { Append, EventLog } from '../events/event-log.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { randomId } from '../lib/random-id.ts';
import { isDialog, type Need } from './attention-for.ts';
import type { AttentionStore } from './attention-store.ts';
import type { Change } from './reconcile.ts';

const KEEP_CLEARED_MS = 7 * 86_400_000;
const KEEP_CLEARED = 1_000;

interface Ending {
  outcome: AttentionOutcome;
  by?: string;
  answer?: string;
}

export class AttentionRecord {
  readonly #log: EventLog;
  readonly #store: AttentionStore;
  readonly #clock: Clock;
  readonly #logger: Log;

  constructor(options: { log: EventLog; store: AttentionStore; clock: Clock; logger: Log }) {
    this.#log = options.log;
    this.#store = options.store;
    this.#clock = options.clock;
    this.#logger = options.logger;
  }

  /** Runs changes of items in one transaction, which also prunes old items. */
  write<Result>(change: (append: Append) => Result): Result {
    return this.#log.write((append) => {
      const result = change(append);
      this.#store.prune(toIso(this.#clock.now() - KEEP_CLEARED_MS), KEEP_CLEARED);
      return result;
    });
  }

  /** Called by events and timers: a failure there would end the daemon, so it is logged. */
  quietly(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#logger.error({ err: error }, 'cannot store the inbox');
    }
  }

  /** Returns the new item's id. `request` is null when no request is behind the need. */
  raise(append: Append, subject: Subject, need: Need, request: AgentRequest | null): string {
    const id = randomId();
    const open = { cleared_at: null, outcome: null, by: null, answer: null };
    const raised_at = toIso(this.#clock.now());
    this.#store.insert({ id, subject, ...need, request, raised_at, ...open });
    this.#announce(append, id, subject, need, request !== null);
    return id;
  }

  /** Applies a change of open items in one transaction; an empty change writes nothing. */
  apply(subject: Subject, { clear, raise, restate }: Change): void {
    if (clear.length === 0 && raise === null && restate === null) return;
    this.write((append) => {
      for (const { item, ...ending } of clear) this.clear(append, item, ending);
      if (restate !== null) this.restate(restate.item, restate.need);
      if (raise !== null) this.raise(append, subject, raise, null);
    });
  }

  /** A dialog that was seen before its request arrived stays one item, which can now be answered. */
  raiseRequest(
    subject: Subject,
    need: Need,
    request: AgentRequest,
    open: readonly AttentionItem[],
  ): string {
    const seen = open.find((item) => item.request === null && isDialog(item.reason));
    return this.write((append) =>
      seen === undefined
        ? this.raise(append, subject, need, request)
        : this.adopt(append, seen, need, request),
    );
  }

  /** An open item turns out to be this request, and can be answered from now on. */
  adopt(append: Append, item: AttentionItem, need: Need, request: AgentRequest): string {
    this.#store.restate(item.id, { ...need, request });
    this.#announce(append, item.id, item.subject, need, true);
    return item.id;
  }

  /** The same need with other lines: no event. */
  restate(item: AttentionItem, need: Need): void {
    this.#store.restate(item.id, { ...need, request: null });
  }

  escalate(id: string): void {
    this.#log.write(() => this.#store.escalate(id, toIso(this.#clock.now())));
  }

  clear(append: Append, item: AttentionItem, ending: Ending): void {
    const { id, reason } = item;
    const { outcome, by = null, answer = null } = ending;
    this.#store.clear(id, { at: toIso(this.#clock.now()), outcome, by, answer });
    const { session, other } = about(item.subject);
    const data = { ...other, id, reason, outcome, by, answer };
    append({ type: 'attention.cleared', ...session, data });
  }

  /** No person is needed for any of these: their subject no longer exists. */
  clearGone(items: readonly AttentionItem[]): void {
    this.write((append) => {
      for (const item of items) this.clear(append, item, { outcome: 'gone' });
    });
  }

  #announce(append: Append, id: string, subject: Subject, need: Need, answerable: boolean): void {
    const { reason, title } = need;
    const { session, other } = about(subject);
    const data = { ...other, id, reason, title, answerable };
    append({ type: 'attention.raised', ...session, data });
  }
}

/** How an event names the subject: a session on its record, anything else in its data. */
function about({ kind, id }: Subject): {
  session?: { session: string };
  other?: { task: string } | { run: string } | { found: string } | { rule: string };
} {
  switch (kind) {
    case 'task':
      return { other: { task: id } };
    case 'run':
      return { other: { run: id } };
    case 'found':
      return { other: { found: id } };
    case 'alert':
      return { other: { rule: id } };
    default:
      return { session: { session: id } };
  }
}
