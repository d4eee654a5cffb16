/**
 * The append-only log of facts. Owns `seq`, retention and order: a change of state and its events
 * are one transaction, and listeners are called after the commit, once per tick.
 */
import { type EventDraft, type EventType, subjectOf } from '../../shared/schema/events/events.ts';
import type { Subject } from '../../shared/schema/events/subject.ts';
import type { Database } from '../db/database.ts';
import { MetaStore } from '../db/meta-store.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import { asStorageError } from '../lib/files/storage-error.ts';
import { encodeEvent, type StoredEvent } from './encode-event.ts';
import { prepareEvents } from './event-statements.ts';

/** Encoded once, shared by every subscriber. */
export interface EncodedEvent {
  seq: number;
  type: string;
  /** `kind:id`. */
  subject: string;
  session: string | null;
  json: string;
}

/** The events of one session or about one subject; both have an index. */
export type EventScope = { session: string } | Subject;

/** How many events of one type a subject had in one bucket of time. */
export interface EventCount {
  session: string | null;
  subject: string;
  type: string;
  bucket: number;
  count: number;
}

/** Returns the seq of the event. */
export type Append = (draft: EventDraft) => number;

/** The result of a person's action, and the seq of its event. */
export interface ActionResult<Result> {
  result: Result;
  seq: number;
}

export interface Retention {
  days: number;
  maxEvents: number;
}

/** Newest events kept encoded in memory, so that live subscribers never read the database. */
const TAIL_EVENTS = 4096;
/** Removed at a time: copying stays rare, and memory steady. */
const TRIM_EVENTS = 512;
/** Rows deleted in one transaction; more would delay appends. */
const PRUNE_ROWS = 10_000;

export class EventLog {
  readonly epoch: string;
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #retention: Retention;
  readonly #committed: (epoch: string, head: number) => void;
  readonly #listeners = new Set<() => void>();
  readonly #joins = new Set<(written: readonly EncodedEvent[]) => void>();
  readonly #tail: EncodedEvent[] = [];
  readonly #statements;
  #head: number;
  #oldest: number;
  #pending: EncodedEvent[] | null = null;
  #notifying = false;

  /** `committed` is called with the newest seq after each commit, before any listener. */
  constructor(options: {
    database: Database;
    clock: Clock;
    retention: Retention;
    committed?: (epoch: string, head: number) => void;
  }) {
    this.#database = options.database;
    this.#clock = options.clock;
    this.#retention = options.retention;
    this.#committed = options.committed ?? (() => undefined);
    this.#statements = prepareEvents(options.database);
    this.epoch = new MetaStore(options.database).epoch();
    this.#head = this.#statements.lastUsed() ?? this.#statements.newest.get()?.seq ?? 0;
    this.#oldest = this.#statements.oldest.get()?.seq ?? this.#head + 1;
  }

  /** Seq of the newest event; 0 in an empty log. */
  get head(): number {
    return this.#head;
  }

  /** Seq of the oldest event kept; `head + 1` when none is. */
  get oldest(): number {
    return this.#oldest;
  }

  /**
   * Runs a change of state together with the events it appends, in one transaction. Listeners are
   * called after the commit. Throws `storage_full`, `storage_busy` or `storage_failed` with nothing
   * changed.
   */
  write<Result>(change: (append: Append) => Result): Result {
    if (this.#pending !== null) throw new Error('a change of state may not nest another');
    const pending: EncodedEvent[] = [];
    this.#pending = pending;
    let result: Result;
    try {
      result = this.#database.transaction(() => {
        const changed = change((draft) => this.#append(draft, pending));
        for (const join of this.#joins) join(pending);
        return changed;
      });
    } catch (error) {
      throw asStorageError(error);
    } finally {
      this.#pending = null;
    }
    this.#publish(pending);
    return result;
  }

  /** Events with a seq greater than `after`, oldest first. */
  read(after: number, limit: number): EncodedEvent[] {
    const first = this.#tail[0];
    if (first !== undefined && after >= first.seq - 1) {
      const start = after - first.seq + 1;
      return this.#tail.slice(start, start + limit);
    }
    return this.#statements.page.all({ after, limit }).map(encodeEvent);
  }

  /** By name; one seek of the index each. */
  sessions(): string[] {
    const { nextSession } = this.#statements;
    const names: string[] = [];
    for (;;) {
      const name = nextSession.get({ after: names.at(-1) ?? '' })?.name ?? null;
      if (name === null) return names;
      names.push(name);
    }
  }

  /** The newest event of its own types about each subject of a kind, such as `found.*`. */
  newestOfKind(kind: Subject['kind']): StoredEvent[] {
    return this.#statements.newestOfKind.all({ kind });
  }

  /** Events with a seq greater than `after`, oldest first. */
  readAmong(among: EventScope, after: number, limit: number): StoredEvent[] {
    return this.#among(among).page.all({ ...among, after, limit });
  }

  /** Events of those types with a seq greater than `after`, up to `last`, oldest first. */
  readTypes(types: readonly EventType[], after: number, last: number): StoredEvent[] {
    return this.#statements.ofTypes.all({ types: JSON.stringify(types), after, last });
  }

  /** Of events below `before`, newest first. */
  typesBefore(
    among: EventScope,
    before: number,
    limit: number,
  ): Pick<StoredEvent, 'seq' | 'type'>[] {
    return this.#among(among).typesBefore.all({ ...among, before, limit });
  }

  /** Seq of the first event at or after that time; `head + 1` when there is none. */
  firstSince(wallMs: number): number {
    return this.#statements.firstSince.get({ at: toIso(wallMs) })?.seq ?? this.#head + 1;
  }

  /**
   * Counts the events from seq `first` to `last` by session, subject, type and bucket: the number
   * of `bucketMs` since `fromMs`, which may be negative.
   */
  count(first: number, last: number, fromMs: number, bucketMs: number): EventCount[] {
    return this.#statements.count.all({ first, last, fromMs, bucketMs });
  }

  /**
   * Called after commits, at most once per tick of the event loop. The newest comes first, so that
   * subscribers do not wait for the daemon's own readers. Returns the function that stops it.
   */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Called at the end of each transaction of `write`, with the events it appends: what `join` stores
   * is committed with them, and what it throws undoes them.
   */
  joinWrites(join: (written: readonly EncodedEvent[]) => void): void {
    this.#joins.add(join);
  }

  /** Removes what retention no longer keeps. Returns the number of rows removed, at most 10,000. */
  prune(): number {
    const firstKept = this.firstSince(this.#clock.now() - this.#retention.days * 86_400_000);
    const lastOut = Math.max(firstKept - 1, this.#head - this.#retention.maxEvents);
    const upTo = Math.min(lastOut, this.#oldest - 1 + PRUNE_ROWS);
    if (upTo < this.#oldest) return 0;
    const removed = this.#statements.deleteUpTo.run({ seq: upTo }).changes;
    this.#oldest = upTo + 1;
    const kept = this.#tail.findIndex(({ seq }) => seq > upTo);
    this.#tail.splice(0, kept === -1 ? this.#tail.length : kept);
    return removed;
  }

  #append(draft: EventDraft, pending: EncodedEvent[]): number {
    const at = toIso(this.#clock.now());
    const { type, session = null } = draft;
    const subject = subjectOf(draft);
    const data = JSON.stringify(draft.data);
    const seq = this.#statements.insert(at, type, subject, session, data);
    const { kind: subjectKind, id: subjectId } = subject;
    pending.push(encodeEvent({ seq, at, type, subjectKind, subjectId, session, data }));
    return seq;
  }

  #among(among: EventScope) {
    return 'kind' in among ? this.#statements.ofSubject : this.#statements.ofSession;
  }

  #publish(pending: readonly EncodedEvent[]): void {
    const newest = pending.at(-1);
    if (newest === undefined) return;
    this.#committed(this.epoch, newest.seq);
    this.#head = newest.seq;
    this.#tail.push(...pending);
    const spareEvents = this.#tail.length - TAIL_EVENTS;
    if (spareEvents >= TRIM_EVENTS) this.#tail.splice(0, spareEvents);
    if (this.#notifying) return;
    this.#notifying = true;
    setImmediate(() => {
      this.#notifying = false;
      for (const listener of [...this.#listeners].reverse()) {
        if (this.#listeners.has(listener)) listener();
      }
    });
  }
}
