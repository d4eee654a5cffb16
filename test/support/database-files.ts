/** The files in a home or next to it, and the content of a database file, without the daemon. */
import { readdirSync } from 'node:fs';
import Sqlite from 'better-sqlite3';

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
