/**
 * Replaces the database of a home. `loopwatch.db` always names the old one or the new one, and no
 * write-ahead log of one is ever next to the other.
 */
import { copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { systemCode } from '../lib/app-error.ts';
import { damageOf, DatabaseError, hasTable } from './database.ts';
import { openSqlite } from './open-sqlite.ts';
import { flushToDisk, partialFile } from './partial-files.ts';

/** Both files must be closed and the home locked. The old one is kept under `keptAs`. */
export function replaceDatabase(file: string, next: string, keptAs: string): void {
  const old = existsSync(file) ? holdOld(file) : null;
  try {
    if (existsSync(file)) {
      keep(file, keptAs);
      // Only a damaged database still has a log here; its last changes stay with it.
      for (const log of ['-wal', '-journal']) {
        if (existsSync(file + log)) renameSync(file + log, keptAs + log);
      }
    }
    rmSync(`${file}-shm`, { force: true });
    flushToDisk(dirname(file));
    renameSync(next, file);
    flushToDisk(dirname(file));
  } finally {
    old?.close();
  }
}

/** Null when the home has no database or it cannot be read. */
export function askDatabase<Answer>(
  file: string,
  ask: (raw: Sqlite.Database) => Answer,
): Answer | null {
  if (!existsSync(file)) return null;
  let raw: Sqlite.Database | null = null;
  try {
    raw = openSqlite(file, { fileMustExist: true });
    if (damageOf(raw) !== null || !hasTable(raw, 'meta')) return null;
    return ask(raw);
  } catch {
    return null;
  } finally {
    raw?.close();
  }
}

/** Removes second names of the database that a killed restore left behind. */
export function dropSecondNames(file: string, keptNames: readonly string[]): void {
  const live = statSync(file, { bigint: true, throwIfNoEntry: false });
  if (live === undefined || live.nlink < 2n) return;
  for (const name of keptNames) {
    const other = statSync(name, { bigint: true });
    if (other.ino === live.ino && other.dev === live.dev) rmSync(name);
  }
}

/**
 * The old database, held so that no other program can open it until it is closed, with its log
 * written back and removed. Null when it is damaged and its log cannot be used.
 */
function holdOld(file: string): Sqlite.Database | null {
  const raw = openSqlite(file, { fileMustExist: true, timeout: 2_000 });
  try {
    raw.pragma('journal_mode = DELETE');
    raw.exec('BEGIN EXCLUSIVE');
    return raw;
  } catch (error) {
    raw.close();
    const code = systemCode(error) ?? '';
    if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') return null;
    if (code !== 'SQLITE_BUSY' && code !== 'SQLITE_LOCKED') throw error;
    throw new DatabaseError(
      `another program has ${file} open; close it and try again. Nothing was changed.`,
    );
  }
}

/** A second name costs no space and cannot be half done; the copy is for disks without hard links. */
function keep(file: string, keptAs: string): void {
  try {
    linkSync(file, keptAs);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw error;
    const partial = partialFile(file);
    copyFileSync(file, partial);
    flushToDisk(partial);
    renameSync(partial, keptAs);
  }
}
