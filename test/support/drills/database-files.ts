/** The files in a home or next to it, and the content of a database file, without the daemon. */
import { readdirSync } from 'node:fs';
import Sqlite from 'better-sqlite3';

/** As another program creates it, without the later columns that Loopwatch adds. */
export const PUBLISHED_TABLE = `CREATE TABLE task_auto (
  session_name TEXT PRIMARY KEY, task_dir TEXT NOT NULL UNIQUE, status TEXT DEFAULT 'running',
  max_iterations INTEGER DEFAULT 20, timeout_minutes INTEGER DEFAULT 30,
  iteration_count INTEGER DEFAULT 0, recovery_count_step INTEGER DEFAULT 0,
  recovery_count_total INTEGER DEFAULT 0, last_capture_hash TEXT DEFAULT '',
  stall_count INTEGER DEFAULT 0, quota_wait_since TEXT DEFAULT '',
  started_at TEXT, last_signal_at TEXT)`;

/** The names in a directory that no world created. */
export function namesIn(directory: string): string[] {
  const made = ['bin', 'claude', 'run', 'tasks', 'user', 'home'];
  return readdirSync(directory)
    .filter((name) => !made.includes(name))
    .sort();
}

/** The first column of the query. */
export function readDatabase(file: string, sql: string): unknown[] {
  const raw = new Sqlite(file, { readonly: true });
  const rows = raw.prepare(sql).pluck().all();
  raw.close();
  return rows;
}

export function writeDatabase(file: string, sql: string): void {
  const raw = new Sqlite(file);
  raw.exec(sql);
  raw.close();
}
