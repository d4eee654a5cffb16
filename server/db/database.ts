/**
 * Opens the one SQLite database of a home: pragmas, integrity, adoption of a database created with
 * the published raw DDL, migrations, refusal of a newer schema. Knows no table's meaning.
 */
import { copyFileSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import { systemCode } from '../lib/app-error.ts';
import { ConfigError } from '../lib/config/config.ts';
import { packageRoot } from '../lib/package-root.ts';
import { asStorageError, isDamageCode } from '../lib/files/storage-error.ts';
import { openSqlite } from './open-sqlite.ts';
import * as schema from './schema.ts';
import { isSoundWalHead } from './wal-head.ts';

export const DATABASE_FILE = 'loopwatch.db';

export const EVENTS = 'events';

const MIGRATIONS = { migrationsFolder: join(packageRoot(), 'server/db/migrations') };

/** The oldest SQLite without the WAL-reset corruption. */
const MINIMUM_SQLITE = '3.51.3';

/**
 * How long a write waits for another program that holds the database. The whole daemon waits with
 * it, so it is short: the refused caller retries.
 */
const BUSY_TIMEOUT_MS = 250;

/**
 * KiB of pages the connection caches. The binding's default is 16,000, which a daemon fills with
 * pages of old events over its first 30,000 events; appends and the tails of the indexes need a
 * fraction.
 */
const PAGE_CACHE_KIB = 4_000;

const SMALLEST_PAGE_BYTES = 512;

/**
 * A larger database is not read whole before the daemon starts: a cold disk needs seconds for it.
 * Its events, nearly all of its pages, are checked once the daemon runs.
 */
const WHOLE_CHECK_BYTES = 64 * 1024 * 1024;

export interface Database {
  readonly query: BetterSQLite3Database<typeof schema>;
  readonly raw: Sqlite.Database;
  /** False when the pages of its events were left out. */
  readonly isWhollyChecked: boolean;
  /** Runs `act` in one immediate transaction, committed as a whole or not at all. */
  transaction<Result>(act: () => Result): Result;
  close(): void;
}

/** The database cannot be used as it is; the message names the next step. */
export class DatabaseError extends Error {}

/** Migrated. Throws a DatabaseError. */
export function openDatabase(home: string): Database {
  return openDatabaseFile(join(home, DATABASE_FILE), { keepOld: true });
}

/**
 * The same for any file; `keepOld` leaves a copy of the database as it was before a migration next
 * to it. Throws a DatabaseError.
 */
export function openDatabaseFile(file: string, { keepOld }: { keepOld: boolean }): Database {
  const existed = existsSync(file);
  const raw = openRaw(file);
  const isWhollyChecked = !existed || statSync(file).size <= WHOLE_CHECK_BYTES;
  try {
    // First, because every later check already reads the file.
    if (existed) {
      requireSoundLog(`${file}-wal`);
      // SQLite pads a truncated last page, and reads a file of less than one page as an empty
      // database.
      const { size } = statSync(file);
      if (size % SMALLEST_PAGE_BYTES !== 0) throw damaged(file, `cut to ${size} bytes`);
      requireIntact(raw, file, isWhollyChecked);
    }
    requireSoundSqlite(raw);
    raw.pragma('journal_mode = WAL');
    // The binding defaults to NORMAL, which can lose commits in a power cut.
    raw.pragma('synchronous = FULL');
    raw.pragma('foreign_keys = ON');
    raw.pragma(`cache_size = -${PAGE_CACHE_KIB}`);
    raw.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    const query = drizzle(raw, { schema });
    bringUpToDate(raw, () => migrate(query, MIGRATIONS), existed && keepOld ? file : null);
    // Created once: what better-sqlite3 builds around a function costs more than begin and commit.
    const within = raw.transaction((act: () => unknown) => act());
    return {
      query,
      raw,
      isWhollyChecked,
      transaction: <Result>(act: () => Result) => within.immediate(act) as Result,
      close: () => raw.close(),
    };
  } catch (error) {
    raw.close();
    // Some damage shows only when the tables are used.
    const code = systemCode(error) ?? '';
    throw existed && isDamageCode(code) ? damaged(file, code) : error;
  }
}

function openRaw(file: string): Sqlite.Database {
  try {
    return openSqlite(file);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new DatabaseError(`cannot open ${file}: ${String(error)}`);
  }
}

function requireSoundSqlite(raw: Sqlite.Database): void {
  const version = String(raw.prepare('SELECT sqlite_version()').pluck().get());
  if (version.localeCompare(MINIMUM_SQLITE, undefined, { numeric: true }) < 0) {
    throw new DatabaseError(
      `SQLite ${version} can corrupt WAL databases; install ${MINIMUM_SQLITE} or newer`,
    );
  }
}

/** SQLite treats a log with a damaged head as empty, and loses what was committed to it. */
function requireSoundLog(wal: string): void {
  if (isSoundWalHead(wal)) return;
  throw new DatabaseError(
    `the write-ahead log ${wal} is damaged. Nothing was changed. Restore it and the ` +
      'database from a backup, or move the log away to continue without its contents.',
  );
}

function requireIntact(raw: Sqlite.Database, file: string, isWhole: boolean): void {
  let damage: string | null = null;
  try {
    for (const table of isWhole ? [null] : tablesOfState(raw)) damage ??= damageOf(raw, table);
  } catch (error) {
    throw asStorageError(error);
  }
  if (damage !== null) throw damaged(file, damage);
}

function tablesOfState(raw: Sqlite.Database): string[] {
  const names = raw.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck();
  return (names.all() as string[]).filter((name) => name !== EVENTS);
}

/**
 * What is wrong with its pages, or those of one table and its indexes, or null. Throws when they
 * cannot be checked.
 */
export function damageOf(raw: Sqlite.Database, table: string | null = null): string | null {
  try {
    const answer = String(
      raw.pragma(`quick_check(${table === null ? 1 : `"${table}"`})`, { simple: true }),
    );
    return answer === 'ok' ? null : answer.replaceAll('\n', ' ');
  } catch (error) {
    const code = systemCode(error) ?? '';
    // Locked, full, read-only: the file itself may be intact.
    if (!isDamageCode(code)) throw error;
    return code;
  }
}

function damaged(file: string, what: unknown): DatabaseError {
  return new DatabaseError(
    `${file} is damaged (${String(what)}). Nothing was changed. Restore a backup with: ` +
      'loopwatch restore FILE, or move it away to start with an empty database.',
  );
}

function bringUpToDate(raw: Sqlite.Database, run: () => void, file: string | null): void {
  const known = knownMigrations();
  adoptRawTable(raw, known);
  const newest = newestMigration(known);
  const applied = lastApplied(raw);
  if (applied > newest) {
    throw new DatabaseError(
      'this database was written by a newer Loopwatch; install that version or use another LOOPWATCH_HOME',
    );
  }
  if (applied === newest) return;
  if (file !== null) copyBeforeMigration(raw, file, applied);
  run();
}

/** The migrations of this program, oldest first. */
export function knownMigrations(): MigrationMeta[] {
  return readMigrationFiles(MIGRATIONS);
}

/** Milliseconds since 1970. */
export function newestMigration(known = knownMigrations()): number {
  return known.at(-1)?.folderMillis ?? 0;
}

/** A failed migration must leave the old database to return to. */
function copyBeforeMigration(raw: Sqlite.Database, file: string, applied: number): void {
  raw.pragma('wal_checkpoint(TRUNCATE)');
  copyFileSync(file, `${file}.before-${applied}`);
}

export function hasTable(raw: Sqlite.Database, name: string): boolean {
  const found = raw
    .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?")
    .get(name);
  return found !== undefined;
}

/** Creation time of the newest migration applied, in ms since 1970; 0 for none. */
export function lastApplied(raw: Sqlite.Database): number {
  if (!hasTable(raw, '__drizzle_migrations')) return 0;
  return Number(raw.prepare('SELECT max(created_at) FROM __drizzle_migrations').pluck().get() ?? 0);
}

/**
 * A `task_auto` without a migration history was created with the published DDL, with or without the
 * columns its text adds later. Records the migrations it already has; the rest then run as usual.
 */
function adoptRawTable(raw: Sqlite.Database, known: readonly MigrationMeta[]): void {
  if (!hasTable(raw, 'task_auto') || lastApplied(raw) > 0) return;
  const columns = raw.pragma('table_info(task_auto)') as { name: string }[];
  const has = (column: string) => columns.some(({ name }) => name === column);
  raw
    .transaction(() => {
      if (!has('quota_wait_since')) {
        raw.exec("ALTER TABLE task_auto ADD COLUMN quota_wait_since TEXT DEFAULT ''");
      }
      recordMigrations(raw, known.slice(0, has('restart_count') ? 2 : 1));
    })
    .immediate();
}

/** Records migrations whose statements the database already has, as the migrator does. */
export function recordMigrations(raw: Sqlite.Database, migrations: readonly MigrationMeta[]): void {
  raw.exec(
    'CREATE TABLE IF NOT EXISTS __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)',
  );
  const record = raw.prepare('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)');
  for (const { hash, folderMillis } of migrations) record.run(hash, folderMillis);
}
