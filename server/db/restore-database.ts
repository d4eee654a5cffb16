/** Makes a backup the database of a home, as the start of another life of it. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { copyRows } from './copy-rows.ts';
import {
  type Database,
  DATABASE_FILE,
  DatabaseError,
  hasTable,
  openDatabaseFile,
} from './database.ts';
import { type DatabaseContents, databaseContents } from './database-contents.ts';
import { migrationsOf, refused, requireSame, withForeign } from './foreign-database.ts';
import { makeFresh } from './fresh-schema.ts';
import { lockHome } from './home.ts';
import { MetaStore } from './meta-store.ts';
import { flushToDisk, partialFile, removePartial, sweepPartial } from './partial-files.ts';
import { askDatabase, dropSecondNames, replaceDatabase } from './replace-database.ts';
import { actingRows, type AlertOff, settleRestored, unsoundColumn } from './settle-restored.ts';

export interface RestoreOptions {
  home: string;
  /** Absolute. */
  file: string;
  /** Now, ISO 8601. */
  at: string;
}

export interface Restore extends DatabaseContents {
  bytes: number;
  /** Where the replaced database is kept; null when there was none. */
  replaced: string | null;
  /** On in the backup and off now; an admin turns them on again. */
  alerts_off: AlertOff[];
}

type PersonRow = Record<string, string | null>;

const PERSON_COLUMNS = [
  'id',
  'name',
  'name_key',
  'role',
  'token_hash',
  'link_hash',
  'link_expires_at',
  'created_at',
  'joined_at',
  'last_seen_at',
  'removed_at',
];

/**
 * Copies the rows of the backup into a database of our own, checks and migrates it before anything
 * else changes, then gives it the database's name. Throws a HomeLockedError while a daemon runs, a
 * DatabaseError for a file that is not our backup, or the system's error; the home is then
 * unchanged.
 */
export function restoreDatabase({ home, file, at }: RestoreOptions): Restore {
  const database = join(home, DATABASE_FILE);
  const release = lockHome(home);
  try {
    sweepRestores(home);
    requireBackup(file, database);
    const partial = partialFile(database);
    try {
      copyBackup(file, partial);
      const known = askDatabase(database, actingRows);
      const people = askDatabase(database, peopleOf);
      let alerts_off: AlertOff[] = [];
      const contents = bringUp(partial, (opened) => {
        const unsound = unsoundColumn(opened.raw);
        if (unsound !== null)
          throw refused(file, `${unsound} contains a value Loopwatch never writes`);
        keepPeople(opened.raw, people);
        const settled = settleRestored(opened.raw, known, at);
        ({ alerts_off } = settled);
        new MetaStore(opened).markRestored({ at, ended_runs: settled.ended_runs });
      });
      flushToDisk(partial);
      const { size: bytes } = statSync(partial);
      const replaced = existsSync(database) ? keptName(database, at) : null;
      replaceDatabase(database, partial, replaced ?? '');
      return { ...contents, bytes, replaced, alerts_off };
    } finally {
      removePartial(partial);
    }
  } finally {
    release();
  }
}

/** Removes what a killed restore left in the home, which must be locked. */
export function sweepRestores(home: string): void {
  const database = join(home, DATABASE_FILE);
  sweepPartial(database);
  const kept = readdirSync(home).filter((name) => name.startsWith(`${DATABASE_FILE}.${KEPT}`));
  dropSecondNames(
    database,
    kept.map((name) => join(home, name)),
  );
}

const KEPT = 'before-restore-';

/** Unique, even for two in the same second. */
function keptName(database: string, at: string): string {
  const base = `${database}.${KEPT}${at.replaceAll(/[-:]/g, '').replace(/\.\d+/, '')}`;
  let name = base;
  for (let number = 2; existsSync(name); number += 1) name = `${base}-${number}`;
  return name;
}

function requireBackup(file: string, database: string): void {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat?.isFile() !== true) throw new DatabaseError(`${file} is not a file`);
  const live = statSync(database, { throwIfNoEntry: false });
  if (live?.ino === stat.ino && live.dev === stat.dev) {
    throw new DatabaseError(`${file} is the current database; pass a backup of it`);
  }
}

/** Rows only: our own migrations create the schema of the copy. */
function copyBackup(file: string, partial: string): void {
  withForeign(file, (foreign) => {
    const fresh = makeFresh(partial, migrationsOf(foreign, file));
    try {
      requireSame(foreign, fresh, file);
      copyRows(foreign, fresh, file);
    } finally {
      fresh.close();
    }
  });
}

/** Migrates the copy as a start would, applies `change`, and makes it one file again. */
function bringUp(partial: string, change: (opened: Database) => void): DatabaseContents {
  const opened = openDatabaseFile(partial, { keepOld: false });
  try {
    opened.transaction(() => change(opened));
    opened.raw.pragma('journal_mode = DELETE');
    return databaseContents(opened.raw);
  } finally {
    opened.close();
  }
}

/** Every row of people, including removed ones. */
function peopleOf(raw: Sqlite.Database): PersonRow[] {
  if (!hasTable(raw, 'people')) return [];
  return raw.prepare(`SELECT ${PERSON_COLUMNS.join(', ')} FROM people`).all() as PersonRow[];
}

/**
 * Access is not history: a restore gives no one access they do not have now. The database being
 * replaced decides about the people it knows; those only in the backup stay on the list but need a
 * new link. `known` is null when it could not be read.
 */
function keepPeople(raw: Sqlite.Database, known: readonly PersonRow[] | null): void {
  raw.exec(
    'UPDATE people SET token_hash = NULL, link_hash = NULL, link_expires_at = NULL, agreed = NULL',
  );
  const forget = raw.prepare(
    'DELETE FROM people WHERE id = :id OR (name_key = :name_key AND :removed_at IS NULL)',
  );
  const values = PERSON_COLUMNS.map((column) => `:${column}`).join(', ');
  const insert = raw.prepare(
    `INSERT INTO people (${PERSON_COLUMNS.join(', ')}) VALUES (${values})`,
  );
  for (const person of known ?? []) {
    const { id, name_key, removed_at } = person;
    forget.run({ id, name_key, removed_at });
    insert.run(person);
  }
}
