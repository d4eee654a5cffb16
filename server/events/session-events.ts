/** Reads the log by session, a page at a time: what was, for those who do not follow the stream. */
import { and, desc, eq, gt, lt, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { events } from '../db/schema.ts';

export interface StoredEvent {
  seq: number;
  at: string;
  type: string;
  /** JSON of the event's data. */
  data: string;
}

export class SessionEvents {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** Gives every session that the log knows of, in order of name; one seek of the index each. */
  sessions(): string[] {
    const names: string[] = [];
    for (let name = this.#next(''); name !== null; name = this.#next(name)) names.push(name);
    return names;
  }

  /** Gives at most `limit` events of a session with a seq greater than `after`, oldest first. */
  after(session: string, after: number, limit: number): StoredEvent[] {
    return this.#statements.after.all({ session, after, limit });
  }

  /** Gives seq and type of at most `limit` events of a session below `before`, newest first. */
  before(session: string, before: number, limit: number): Pick<StoredEvent, 'seq' | 'type'>[] {
    return this.#statements.before.all({ session, before, limit });
  }

  #next(after: string): string | null {
    return this.#statements.next.get({ after })?.name ?? null;
  }
}

function prepare({ query }: Database) {
  const { seq, at, type, data, session } = events;
  const ofSession = eq(session, sql.placeholder('session'));
  return {
    next: query
      .select({ name: sql<string | null>`min(${session})` })
      .from(events)
      .where(gt(session, sql.placeholder('after')))
      .prepare(),
    after: query
      .select({ seq, at, type, data })
      .from(events)
      .where(and(ofSession, gt(seq, sql.placeholder('after'))))
      .orderBy(seq)
      .limit(sql.placeholder('limit'))
      .prepare(),
    before: query
      .select({ seq, type })
      .from(events)
      .where(and(ofSession, lt(seq, sql.placeholder('before'))))
      .orderBy(desc(seq))
      .limit(sql.placeholder('limit'))
      .prepare(),
  };
}
