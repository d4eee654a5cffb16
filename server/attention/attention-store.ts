/** Rows of `attention`: where a person is or was needed. No business rule. */
import { and, asc, count, desc, eq, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import {
  AgentRequest,
  type AttentionItem,
  type AttentionOutcome,
} from '../../shared/schema/attention/attention.ts';
import { Reason } from '../../shared/schema/reasons.ts';
import { type Subject, subjectRef } from '../../shared/schema/events/subject.ts';
import type { Database } from '../db/database.ts';
import { RowCache } from '../db/row-cache.ts';
import { attention } from '../db/schema.ts';

type Row = typeof attention.$inferSelect;

export interface ItemQuery {
  /** False: the newest, including cleared ones. */
  open: boolean;
  limit: number;
  about?: Subject | null;
}

/** How an item ended. */
export interface Clearing {
  at: string;
  outcome: AttentionOutcome;
  by: string | null;
  answer: string | null;
}

/** More rows than the table can have. SQLite takes an offset only behind a limit. */
const NO_LIMIT = 1_000_000;

/** In the order they were raised; items of one millisecond in the order they were written. */
const RAISED = [asc(attention.raisedAt), asc(sql`rowid`)];

export class AttentionStore {
  readonly #query: Database['query'];
  readonly #runTitle: (id: string) => string | null;
  readonly #openOf;
  /** Every look of a supervisor asks what is open about its subject. */
  readonly #known: RowCache<AttentionItem[]>;

  /** `runTitle`: what a run is called, by its id. */
  constructor(database: Database, runTitle: (id: string) => string | null) {
    const { query } = database;
    this.#query = query;
    this.#runTitle = runTitle;
    this.#known = new RowCache(database);
    const isAbout = [
      eq(attention.subjectKind, sql.placeholder('kind')),
      eq(attention.subjectId, sql.placeholder('id')),
    ];
    this.#openOf = query
      .select()
      .from(attention)
      .where(and(isNull(attention.clearedAt), ...isAbout))
      .orderBy(...RAISED)
      .prepare();
  }

  insert(item: Omit<AttentionItem, 'session' | 'task'>): void {
    this.#known.written();
    const { request, subject, raised_at: raisedAt, cleared_at: clearedAt, ...same } = item;
    const about = { subjectKind: subject.kind, subjectId: subject.id };
    const values = { ...same, ...about, request: encode(request), raisedAt, clearedAt };
    this.#query.insert(attention).values(values).run();
  }

  restate(
    id: string,
    fields: Pick<AttentionItem, 'reason' | 'title' | 'detail' | 'request'>,
  ): void {
    this.#known.written();
    const columns = { ...fields, request: encode(fields.request) };
    this.#query.update(attention).set(columns).where(eq(attention.id, id)).run();
  }

  escalate(id: string, at: string): void {
    this.#known.written();
    this.#query.update(attention).set({ escalatedAt: at }).where(eq(attention.id, id)).run();
  }

  /** The request is removed with the item: it can be large, and its lines stay in `detail`. */
  clear(id: string, { at, ...how }: Clearing): void {
    this.#known.written();
    const columns = { ...how, clearedAt: at, request: null };
    this.#query.update(attention).set(columns).where(eq(attention.id, id)).run();
  }

  get(id: string): AttentionItem | null {
    const row = this.#query.select().from(attention).where(eq(attention.id, id)).get();
    return row === undefined ? null : this.#toItem(row);
  }

  /** The open items about one subject, oldest first. */
  openOf(subject: Subject): AttentionItem[] {
    const { kind, id } = subject;
    return this.#known.get(subjectRef(subject), () =>
      this.#openOf.all({ kind, id }).map(this.#toItem),
    );
  }

  /** The open items of all subjects of a kind, oldest first. */
  openOfKind(kind: Subject['kind']): AttentionItem[] {
    return this.open().filter(({ subject }) => subject.kind === kind);
  }

  /** Every open item, oldest first. */
  open(limit = NO_LIMIT, about: Subject | null = null): AttentionItem[] {
    const rows = this.#query
      .select()
      .from(attention)
      .where(and(isNull(attention.clearedAt), isAbout(about)));
    return rows
      .orderBy(...RAISED)
      .limit(limit)
      .all()
      .map(this.#toItem);
  }

  /** The newest items, cleared ones too, oldest first. */
  newest(limit: number, about: Subject | null = null): AttentionItem[] {
    const order = [desc(attention.raisedAt), desc(sql`rowid`)];
    const rows = this.#query
      .select()
      .from(attention)
      .where(isAbout(about))
      .orderBy(...order)
      .limit(limit)
      .all();
    return rows.reverse().map(this.#toItem);
  }

  list({ open, limit, about }: ItemQuery): AttentionItem[] {
    return open ? this.open(limit, about) : this.newest(limit, about);
  }

  countOpen(): number {
    const open = this.#query.select({ count: count() }).from(attention);
    return open.where(isNull(attention.clearedAt)).get()?.count ?? 0;
  }

  /** Removes items that were cleared before a time, and all but the newest `keep` cleared ones. */
  prune(clearedBefore: string, keep: number): void {
    this.#known.written();
    const beyond = this.#query
      .select({ id: attention.id })
      .from(attention)
      .where(isNotNull(attention.clearedAt))
      .orderBy(desc(attention.clearedAt), desc(attention.raisedAt), desc(sql`rowid`))
      .limit(NO_LIMIT)
      .offset(keep);
    this.#query
      .delete(attention)
      .where(or(lt(attention.clearedAt, clearedBefore), inArray(attention.id, beyond)))
      .run();
  }

  readonly #toItem = (row: Row): AttentionItem => {
    const { subjectKind, subjectId, raisedAt, clearedAt, escalatedAt, request, reason, ...same } =
      row;
    const subject = { kind: subjectKind, id: subjectId };
    const runTitle = subject.kind === 'run' ? this.#runTitle(subject.id) : null;
    return {
      ...same,
      subject,
      session: subject.kind === 'session' ? subject.id : null,
      task: subject.kind === 'task' ? subject.id : null,
      ...(runTitle === null ? {} : { run_title: runTitle }),
      // One row that cannot be read must not hide the others.
      reason: Reason.catch('unknown_screen').parse(reason),
      request: request === null ? null : AgentRequest.parse(JSON.parse(request)),
      raised_at: raisedAt,
      cleared_at: clearedAt,
      ...(escalatedAt === null ? {} : { escalated_at: escalatedAt }),
    };
  };
}

function encode(request: AgentRequest | null): string | null {
  return request === null ? null : JSON.stringify(request);
}

function isAbout(subject: Subject | null) {
  if (subject === null) return undefined;
  return and(eq(attention.subjectKind, subject.kind), eq(attention.subjectId, subject.id));
}
