/** Copies the whole database of a home into one file, with or without a daemon running on it. */
import { chmodSync, existsSync, lstatSync, realpathSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import {
  damageOf,
  DATABASE_FILE,
  DatabaseError,
  hasTable,
  lastApplied,
  newestMigration,
} from './database.ts';
import { type DatabaseContents, databaseContents } from './database-contents.ts';
import { openSqlite } from './open-sqlite.ts';
import { flushToDisk, partialFile, removePartial, sweepPartial } from './partial-files.ts';

export interface BackupOptions {
  home: string;
  /** Absolute. */
  file: string;
  /** Replace an existing file. */
  force: boolean;
}

export interface Backup extends DatabaseContents {
  file: string;
  bytes: number;
}

/** More pages than a database can have: all in one step, so that no write restarts the copy. */
const ALL_PAGES = 0x7fffffff;
/** How long the copy waits for the lock of another process. */
const BUSY_MS = 10_000;

/**
 * Writes the backup next to its target, verifies it, and renames it: the target is never a partial
 * backup. Throws a DatabaseError or the system's error.
 */
export async function backupDatabase({ home, file, force }: BackupOptions): Promise<Backup> {
  const source = join(home, DATABASE_FILE);
  if (!existsSync(source))
    throw new DatabaseError(`${home} has no database yet; start the daemon once`);
  requirePlace(file, home, force);
  sweepPartial(file);
  const partial = partialFile(file);
  try {
    const raw = openSqlite(source, { fileMustExist: true, timeout: BUSY_MS });
    try {
      await copyPages(raw, partial);
    } finally {
      raw.close();
    }
    const contents = prove(partial, source);
    chmodSync(partial, 0o600);
    flushToDisk(partial);
    requirePlace(file, home, force);
    renameSync(partial, file);
    flushToDisk(dirname(file));
    return { ...contents, file, bytes: statSync(file).size };
  } finally {
    removePartial(partial);
  }
}

/** A consistent copy as of one moment, including what is still in the write-ahead log. */
async function copyPages(raw: Sqlite.Database, target: string): Promise<void> {
  await raw.backup(target, { progress: () => ALL_PAGES });
}

/** Makes it one file without a log, and checks every page and who wrote it. */
function prove(partial: string, source: string): DatabaseContents {
  const raw = openSqlite(partial, { fileMustExist: true });
  try {
    const damage = damageOf(raw);
    if (damage !== null) {
      throw new DatabaseError(`${source} is damaged (${damage}); no backup was written`);
    }
    raw.pragma('journal_mode = DELETE');
    requireOurs(raw, source);
    return databaseContents(raw);
  } finally {
    raw.close();
  }
}

/** Throws a DatabaseError when the database is not ours or newer than this program. */
export function requireOurs(raw: Sqlite.Database, file: string): void {
  if (!hasTable(raw, 'task_auto')) {
    throw new DatabaseError(`${file} is not a Loopwatch database. Nothing was changed.`);
  }
  if (lastApplied(raw) > newestMigration()) {
    throw new DatabaseError(
      `${file} was written by a newer Loopwatch; use that version. Nothing was changed.`,
    );
  }
}

function requirePlace(file: string, home: string, force: boolean): void {
  const directory = dirname(file);
  if (!existsSync(directory))
    throw new DatabaseError(`${directory} does not exist; create it first`);
  // One mistake with --force would replace the database, its log or the token.
  if (realpathSync(directory) === realpathSync(home)) {
    throw new DatabaseError(
      `${basename(file)} would be inside the daemon’s directory; choose another directory`,
    );
  }
  const there = lstatSync(file, { throwIfNoEntry: false });
  if (there?.isDirectory() === true)
    throw new DatabaseError(`${file} is a directory; pass a file name`);
  if (there !== undefined && !force) {
    throw new DatabaseError(`${file} exists; choose another name, or add --force to replace it`);
  }
}
