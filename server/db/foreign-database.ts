/**
 * A database file that anyone may have written. It is opened only to read rows: its schema must
 * match one of ours in every object, so that nothing in it has its own rules and none of them run.
 */
import type Sqlite from 'better-sqlite3';
import type { MigrationMeta } from 'drizzle-orm/migrator';
import { oneLine } from '../../shared/rules/text/plain-text.ts';
import { systemCode } from '../lib/app-error.ts';
import { isDamageCode } from '../lib/files/storage-error.ts';
import { requireOurs } from './backup-database.ts';
import { DatabaseError, knownMigrations, lastApplied } from './database.ts';
import { openSqlite } from './open-sqlite.ts';

/** SQLite's own objects, and the table of applied migrations. */
const INTERNAL = /^(sqlite_(sequence|stat[14]|autoindex_.*)|__drizzle_migrations)$/;

const MAX_WHY = 300;

interface SchemaObject {
  type: string;
  name: string;
  sql: string | null;
}

/** Throws a DatabaseError when the file is damaged. */
export function withForeign<Result>(file: string, use: (raw: Sqlite.Database) => Result): Result {
  const raw = openSqlite(file, { fileMustExist: true, readonly: true });
  try {
    // Only harmless functions in a schema; cells are checked before they are read.
    raw.pragma('trusted_schema = OFF');
    raw.pragma('cell_size_check = ON');
    raw.pragma('ignore_check_constraints = ON');
    raw.pragma('query_only = ON');
    requirePlain(raw, file);
    return use(raw);
  } catch (error) {
    const code = systemCode(error) ?? '';
    throw isDamageCode(code) ? damaged(file, code) : error;
  } finally {
    raw.close();
  }
}

/** The migrations that created its schema. Throws a DatabaseError when none of ours did. */
export function migrationsOf(raw: Sqlite.Database, file: string): MigrationMeta[] {
  requireOurs(raw, file);
  const known = knownMigrations();
  const applied = lastApplied(raw);
  // Created by hand with the published statements, with or without the column of the second one.
  if (applied === 0)
    return known.slice(0, columnsOf(raw, 'task_auto').has('restart_count') ? 2 : 1);
  const newest = known.findIndex(({ folderMillis }) => folderMillis === applied);
  if (newest >= 0) return known.slice(0, newest + 1);
  throw refused(file, `its version (${applied}) is unknown to Loopwatch`);
}

/**
 * `fresh` is an empty database of the same version. Throws a DatabaseError unless the file is
 * intact and has exactly its tables, indexes and columns.
 */
export function requireSame(raw: Sqlite.Database, fresh: Sqlite.Database, file: string): void {
  const ours = new Map(objectsOf(fresh).map((object) => [object.name, object]));
  for (const object of objectsOf(raw)) {
    const { type, name, sql } = object;
    const own = ours.get(name);
    if (own?.type !== type || (type === 'index' && plain(own.sql) !== plain(sql))) {
      throw refusedFor(file, object);
    }
    if (type === 'table') requireColumns(raw, fresh, name, file);
    ours.delete(name);
  }
  const missing = [...ours.values()].find(({ type }) => type === 'table');
  if (missing !== undefined) throw refused(file, `it has no table ${missing.name}`);
  const answer = String(raw.pragma('integrity_check(1)', { simple: true }));
  if (answer !== 'ok') throw damaged(file, answer.replaceAll('\n', ' '));
}

/** Column names of a table with their declared types. */
export function columnsOf(raw: Sqlite.Database, table: string): Map<string, string> {
  const rows = raw.pragma(`table_xinfo(${table})`) as {
    name: string;
    type: string;
    hidden: number;
  }[];
  return new Map(rows.map(({ name, type, hidden }) => [name, hidden === 0 ? type : 'generated']));
}

/** Tables with our rows, in order of creation. */
export function tablesOf(raw: Sqlite.Database): string[] {
  return objectsOf(raw).flatMap(({ type, name }) => (type === 'table' ? [name] : []));
}

/** `why` may contain names from the file and is printed to a terminal. */
export function refused(file: string, why: string): DatabaseError {
  const detail = oneLine(why, MAX_WHY);
  return new DatabaseError(`${file} is not a Loopwatch backup: ${detail}. Nothing was changed.`);
}

function requireColumns(
  raw: Sqlite.Database,
  fresh: Sqlite.Database,
  table: string,
  file: string,
): void {
  const ours = columnsOf(fresh, table);
  for (const [column, type] of columnsOf(raw, table)) {
    if (ours.has(column) && type !== 'generated') continue;
    throw refused(
      file,
      `its table ${table} has a column ${JSON.stringify(column)} that Loopwatch does not know`,
    );
  }
}

/**
 * Tables and indexes only, before any of them is read: a view or a virtual table computes its rows.
 */
function requirePlain(raw: Sqlite.Database, file: string): void {
  const odd = allObjects(raw).find(({ type }) => type !== 'table' && type !== 'index');
  if (odd !== undefined) throw refusedFor(file, odd);
  const tables = raw.pragma('table_list') as {
    schema: string;
    name: string;
    type: string;
    wr: number;
  }[];
  const special = tables.find(
    ({ schema, type, wr }) => schema === 'main' && (type !== 'table' || wr !== 0),
  );
  if (special !== undefined) throw refusedFor(file, special);
}

function refusedFor(file: string, { type, name }: { type: string; name: string }): DatabaseError {
  const next = 'drop it from a copy of the file, then try again';
  return refused(
    file,
    `it holds the ${type} ${JSON.stringify(name)}, which Loopwatch does not know; ${next}`,
  );
}

function objectsOf(raw: Sqlite.Database): SchemaObject[] {
  return allObjects(raw).filter(({ name }) => !INTERNAL.test(name));
}

function allObjects(raw: Sqlite.Database): SchemaObject[] {
  const rows = raw.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY rowid').all();
  return rows as SchemaObject[];
}

/** An index as SQLite parses it, however it is quoted. */
function plain(sql: string | null): string {
  return (sql ?? '').replace(/["`\s]/g, '').toLowerCase();
}

function damaged(file: string, what: string): DatabaseError {
  const detail = oneLine(what, MAX_WHY);
  return new DatabaseError(
    `${file} is damaged or not a database (${detail}). Nothing was changed.`,
  );
}
