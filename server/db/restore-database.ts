/** Makes a backup the database of a home again, as the start of another life of it. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { copyPages, requireOurs } from './backup-database.ts';
import {
  damageOf,
  type Database,
  DATABASE_FILE,
  DatabaseError,
  openDatabaseFile,
} from './database.ts';
import { type DatabaseContents, databaseContents } from './database-contents.ts';
import { lockHome } from './home-lock.ts';
import { MetaStore } from './meta-store.ts';
import { flushToDisk, partialFile, removePartial, sweepPartial } from './partial-files.ts';
import { keepPeople, peopleOf } from './keep-people.ts';
import { activeRuns, askDatabase, dropSecondNames, replaceDatabase } from './replace-database.ts';

export interface RestoreOptions {
  home: string;
  /** Absolute. */
  file: string;
  /** Now, ISO 8601. */
  at: string;
}

export interface Restore extends DatabaseContents {
  bytes: number;
  /** Where the database that was replaced is kept; null when there was none. */
  replaced: string | null;
}

/**
 * The backup is copied, proved and brought up to date before anything is touched; then it takes the
 * name of the database. Throws a HomeLockedError while a daemon runs, a DatabaseError for a file
 * that is no backup of ours, or the system's error; the home is then as it was.
 */
export async function restoreDatabase({ home, file, at }: RestoreOptions): Promise<Restore> {
  const database = join(home, DATABASE_FILE);
  const release = lockHome(home);
  try {
    sweepRestores(home);
    requireBackup(file, database);
    const partial = partialFile(database);
    try {
      await copyBackup(file, partial);
      const known = activeRuns(database);
      const people = askDatabase(database, peopleOf);
      const contents = bringUp(partial, (opened, runs) => {
        keepPeople(opened.raw, people);
        const ended_runs = known === null ? null : runs.filter((run) => !known.includes(run));
        new MetaStore(opened).markRestored({ at, ended_runs });
      });
      flushToDisk(partial);
      const { size: bytes } = statSync(partial);
      const replaced = existsSync(database) ? keptName(database, at) : null;
      replaceDatabase(database, partial, replaced ?? '');
      return { ...contents, bytes, replaced };
    } finally {
      removePartial(partial);
    }
  } finally {
    release();
  }
}

/** Takes a locked home; removes what a restore that was killed has left in it. */
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

/** A name of its own for each, also for two in the same second. */
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
    throw new DatabaseError(`${file} is the database in use; name a backup of it`);
  }
}

async function copyBackup(file: string, partial: string): Promise<void> {
  const raw = new Sqlite(file, { fileMustExist: true, readonly: true });
  try {
    const damage = damageOf(raw);
    if (damage !== null) {
      throw new DatabaseError(
        `${file} is damaged or no database (${damage}). Nothing was changed.`,
      );
    }
    requireOurs(raw, file);
    await copyPages(raw, partial);
  } finally {
    raw.close();
  }
}

/** Migrates the copy as a start would, has it changed, and makes it one file again. */
function bringUp(
  partial: string,
  change: (opened: Database, runs: string[]) => void,
): DatabaseContents {
  const opened = openDatabaseFile(partial, { keepOld: false });
  try {
    const runs = opened.raw.prepare('SELECT run_id FROM task_auto').pluck().all() as string[];
    opened.transaction(() => change(opened, runs));
    opened.raw.pragma('journal_mode = DELETE');
    return databaseContents(opened.raw);
  } finally {
    opened.close();
  }
}
