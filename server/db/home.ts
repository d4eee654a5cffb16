/** The home of a daemon: readable by its owner alone, used by one daemon at a time. */
import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, systemCode } from '../lib/app-error.ts';
import { keepFilesPrivate } from '../lib/files/user-umask.ts';
import { ConfigError } from '../lib/config/config.ts';
import { openSqlite } from './open-sqlite.ts';

/** A file or a link that leads nowhere is in the way. */
const NO_DIRECTORY = ['EEXIST', 'ENOTDIR', 'ENOENT', 'ELOOP'];

export class HomeLockedError extends Error {}

/**
 * Returns the release. The lock is an open SQLite transaction: the kernel frees it when the process
 * dies, so there is no stale lock to clear. Throws a HomeLockedError while another daemon lives.
 */
export function lockHome(home: string): () => void {
  const lock = openSqlite(join(home, 'lock.db'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (systemCode(error) !== 'SQLITE_BUSY') throw error;
    throw new HomeLockedError(`another daemon is already running on ${home}`);
  }
  return () => lock.close();
}

/**
 * Creates the home, readable by its owner alone. Throws a ConfigError when another user owns it,
 * `storage_failed` when something else is in its place, and the system's error when it is not
 * writable.
 */
export function openHome(home: string): void {
  keepFilesPrivate();
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (!NO_DIRECTORY.includes(systemCode(error) ?? '')) throw error;
    const next = 'set LOOPWATCH_HOME to another';
    const message = `LOOPWATCH_HOME=${home} is not a directory that can be created; ${next}`;
    throw new AppError('storage_failed', message);
  }
  const stat = statSync(home);
  if (process.getuid !== undefined && stat.uid !== process.getuid()) {
    throw new ConfigError(`LOOPWATCH_HOME=${home} belongs to another user`);
  }
  if ((stat.mode & 0o077) !== 0) chmodSync(home, 0o700);
  accessSync(home, constants.W_OK);
}
