/** Copies the database of a home into one file, whole, while a daemon works on it or not. */
import { chmodSync, existsSync, lstatSync, realpathSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import {
  damageOf,
  DATABASE_FILE,
  DatabaseError,
  hasTable,
  lastApplied,
  newestMigration,
} from './database.ts';
import { type DatabaseContents, databaseContents } from './database-contents.ts';
import { flushToDisk, partialFile, removePartial, sweepPartial } from './partial-files.ts';

export interface BackupOptions {
  home: string;
  /** Absolute. */
  file: string;
  /** Replace a file that is there. */
  force: boolean;
}

export interface Backup extends DatabaseContents {
  file: string;
  bytes: number;
}

/** More than a database can have: all of it in one step, so that writers never make it begin anew. */
const ALL_PAGES = 0x7fffffff;
/** How long the lock of another process may keep the copy waiting. */
const BUSY_MS = 10_000;

/**
 * Writes the backup beside its name, proves it and moves it there: whatever happens, the name holds
 * nothing, what it held before, or a whole backup. Throws a DatabaseError or the system's error.
 */
export async function backupDatabase({ home, file, force }: BackupOptions): Promise<Backup> {
  const source = join(home, DATABASE_FILE);
  if (!existsSync(source))
    throw new DatabaseError(`${home} has no database yet; start the daemon once`);
  requirePlace(file, home, force);
  sweepPartial(file);
  const partial = partialFile(file);
  try {
    const raw = new Sqlite(source, { fileMustExist: true, timeout: BUSY_MS });
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

/** Takes an open database; copies all of it as of one moment, what is still in its log included. */
async function copyPages(raw: Sqlite.Database, target: string): Promise<void> {
  await raw.backup(target, { progress: () => ALL_PAGES });
}

/** Makes it one file, without a log beside it, and looks at every page and at who wrote it. */
function prove(partial: string, source: string): DatabaseContents {
  const raw = new Sqlite(partial, { fileMustExist: true });
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

/** Takes an open database; throws a DatabaseError when it is none of ours or of a newer version. */
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
  // One slip with --force would replace the database, its log or the token.
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
