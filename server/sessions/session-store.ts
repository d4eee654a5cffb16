/** Rows of `sessions`: which terminals should exist and who owns each. No business rule. */
import { asc, eq, sql } from 'drizzle-orm';
import type { Owner } from '../../shared/schema/owner.ts';
import type { Session } from '../../shared/schema/model.ts';
import type { Database } from '../db/database.ts';
import { RowCache } from '../db/row-cache.ts';
import { sessions } from '../db/schema.ts';
import { AppError } from '../lib/app-error.ts';
import type { TerminalIdentity } from '../terminals/terminal.ts';

/** The session alone; its agent's state is kept elsewhere. */
export type SessionRecord = Omit<Session, 'agent'>;

export interface StoredSession extends SessionRecord {
  identity: TerminalIdentity | null;
}

type Row = typeof sessions.$inferSelect;

export class SessionStore {
  readonly #query: Database['query'];
  readonly #one;
  readonly #all;
  /** Every probe of a terminal asks. */
  readonly #known: RowCache<StoredSession | null>;
  readonly #listed: RowCache<readonly StoredSession[]>;

  constructor(database: Database) {
    const { query } = database;
    this.#query = query;
    this.#known = new RowCache(database);
    this.#listed = new RowCache(database);
    const name = eq(sessions.name, sql.placeholder('name'));
    this.#one = query.select().from(sessions).where(name).prepare();
    this.#all = query.select().from(sessions).orderBy(asc(sessions.name)).prepare();
  }

  insert(session: StoredSession): void {
    this.#written();
    const { created_at: createdAt, identity, ...rest } = session;
    this.#query
      .insert(sessions)
      .values({ ...rest, createdAt, identity: encodeIdentity(identity) })
      .run();
  }

  get(name: string): StoredSession | null {
    return this.#known.get(name, () => {
      const row = this.#one.get({ name });
      return row === undefined ? null : toSession(row);
    });
  }

  /** Throws `session_unknown`, also when its name is another’s by now, by the time of its creation. */
  known(name: string, createdAt?: string): StoredSession {
    const session = this.get(name);
    if (session === null || (createdAt ?? session.created_at) !== session.created_at) {
      throw new AppError(
        'session_unknown',
        `no session named ${name}; list them with: loopwatch session ls`,
      );
    }
    return session;
  }

  list(): readonly StoredSession[] {
    return this.#listed.get('', () => this.#all.all().map(toSession));
  }

  patch(
    name: string,
    change: {
      status?: Session['status'];
      owner?: Owner | null;
      identity?: TerminalIdentity | null;
    },
  ): void {
    this.#written();
    const { identity, ...rest } = change;
    const columns = identity === undefined ? rest : { ...rest, identity: encodeIdentity(identity) };
    this.#query.update(sessions).set(columns).where(eq(sessions.name, name)).run();
  }

  remove(name: string): void {
    this.#written();
    this.#query.delete(sessions).where(eq(sessions.name, name)).run();
  }

  #written(): void {
    this.#known.written();
    this.#listed.written();
  }
}

function encodeIdentity(identity: TerminalIdentity | null): string | null {
  return identity === null ? null : JSON.stringify(identity);
}

function toSession({ createdAt, identity, ...row }: Row): StoredSession {
  return {
    ...row,
    created_at: createdAt,
    identity: identity === null ? null : (JSON.parse(identity) as TerminalIdentity),
  };
}

export function withoutIdentity(session: StoredSession): SessionRecord {
  const { name, cwd, terminal, status, owner, created_at } = session;
  return { name, cwd, terminal, status, owner, created_at };
}
