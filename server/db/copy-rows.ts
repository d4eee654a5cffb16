/** Copies the rows of a foreign database into a fresh one of the same version, one by one. */
import type Sqlite from 'better-sqlite3';
import { systemCode } from '../lib/app-error.ts';
import { columnsOf, refused, tablesOf } from './foreign-database.ts';

/** Facts about the life of one database: the copy starts a new one. */
const NOT_COPIED = 'meta';

/** Far beyond any real id, and still an exact number. */
const MAX_ID = 2n ** 52n;

type Value = string | bigint | number | Buffer | null;

const FITS: Record<string, (value: Value) => boolean> = {
  text: (value) => typeof value === 'string',
  integer: (value) => typeof value === 'bigint',
  real: (value) => typeof value === 'number' || typeof value === 'bigint',
  blob: (value) => Buffer.isBuffer(value),
};

/**
 * In one transaction, one row in memory at a time. Throws a DatabaseError for a row that does not
 * fit.
 */
export function copyRows(from: Sqlite.Database, to: Sqlite.Database, file: string): void {
  to.pragma('foreign_keys = OFF');
  try {
    to.transaction(() => {
      for (const table of tablesOf(to)) {
        if (table !== NOT_COPIED) copyTable(from, to, table, file);
      }
      copyCounters(from, to, file);
    }).immediate();
  } catch (error) {
    const code = systemCode(error) ?? '';
    if (/^SQLITE_(CONSTRAINT|MISMATCH)/.test(code)) {
      throw refused(file, `one of its rows does not fit (${code})`);
    }
    throw error;
  }
  const [broken] = to.pragma('foreign_key_check') as { table: string }[];
  if (broken !== undefined) throw refused(file, `a row of ${broken.table} refers to a missing row`);
}

function copyTable(from: Sqlite.Database, to: Sqlite.Database, table: string, file: string): void {
  const types = columnsOf(to, table);
  // A column the file lacks was added after its version was published: it gets its default.
  const columns = [...columnsOf(from, table).keys()];
  const names = columns.map((column) => `"${column}"`).join(', ');
  const values = columns.map(() => '?').join(', ');
  const insert = to.prepare(`INSERT INTO "${table}" (${names}) VALUES (${values})`);
  const fits = columns.map((column) => FITS[types.get(column)?.toLowerCase() ?? '']);
  // Some tables are listed in the order of their rows.
  const rows = from.prepare(`SELECT ${names} FROM "${table}" ORDER BY rowid`);
  for (const row of rows.raw().safeIntegers().iterate() as IterableIterator<Value[]>) {
    const wrong = row.findIndex((value, at) => value !== null && fits[at]?.(value) !== true);
    if (wrong >= 0) {
      throw refused(
        file,
        `${table}.${columns[wrong] ?? ''} contains a value Loopwatch never writes`,
      );
    }
    insert.run(row);
  }
}

/** A number once used is never used again, even after its row was deleted. */
function copyCounters(from: Sqlite.Database, to: Sqlite.Database, file: string): void {
  const has = "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'";
  if (to.prepare(has).get() === undefined) return;
  const read = 'SELECT max(seq) FROM sqlite_sequence WHERE name = ?';
  const stored =
    from.prepare(has).get() === undefined ? null : from.prepare(read).pluck().safeIntegers();
  const counter = to.prepare(read).pluck().safeIntegers();
  const counted = to
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'")
    .pluck()
    .all() as string[];
  for (const table of counted) {
    const used = [stored?.get(table), counter.get(table)].filter(
      (value) => typeof value === 'bigint',
    );
    const newest = used.reduce((one, other) => (one > other ? one : other), 0n);
    if (newest > MAX_ID) throw refused(file, `${table} counts to ${newest}`);
    to.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(table);
    if (newest > 0n)
      to.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(table, newest);
  }
}
