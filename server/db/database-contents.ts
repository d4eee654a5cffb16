import type Sqlite from 'better-sqlite3';
import { hasTable } from './database.ts';

/** What a database holds, for a person who decides which one to keep. */
export interface DatabaseContents {
  events: number;
  sessions: number;
  loops: number;
  tasks: number;
  /** Seq of the newest event ever written; 0 for none. */
  head: number;
  /** Null before a daemon first started on it. */
  epoch: string | null;
}

/** For any version of our schema. */
export function databaseContents(raw: Sqlite.Database): DatabaseContents {
  const one = (sql: string) => raw.prepare(sql).pluck().get();
  const count = (table: string) =>
    hasTable(raw, table) ? Number(one(`SELECT count(*) FROM ${table}`)) : 0;
  const has = { meta: hasTable(raw, 'meta'), events: hasTable(raw, 'events') };
  return {
    events: count('events'),
    sessions: count('sessions'),
    loops: count('task_auto'),
    tasks: count('tasks'),
    head: has.events
      ? Number(one("SELECT seq FROM sqlite_sequence WHERE name = 'events'") ?? 0)
      : 0,
    epoch: has.meta
      ? ((one("SELECT value FROM meta WHERE key = 'epoch'") as string | undefined) ?? null)
      : null,
  };
}
