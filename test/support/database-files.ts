/** What lies in a home or beside it, and in a database file, without the daemon. */
import { readdirSync } from 'node:fs';
import Sqlite from 'better-sqlite3';

/** Takes a directory; gives the names in it that no world has made. */
export function namesIn(directory: string): string[] {
  const made = ['bin', 'claude', 'run', 'tasks', 'user', 'home'];
  return readdirSync(directory)
    .filter((name) => !made.includes(name))
    .sort();
}

/** Takes a database and a query; gives its first column. */
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
