/** The home of a daemon: readable by its owner alone, used by one daemon at a time. */
import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../lib/app-error.ts';
import { keepFilesPrivate } from '../lib/files/user-umask.ts';
import { ConfigError } from '../lib/config/config.ts';
import { openSqlite } from './open-sqlite.ts';

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
 * and the system's error when it is not writable.
 */
export function openHome(home: string): void {
  keepFilesPrivate();
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const stat = statSync(home);
  if (process.getuid !== undefined && stat.uid !== process.getuid()) {
    throw new ConfigError(`LOOPWATCH_HOME=${home} belongs to another user`);
  }
  if ((stat.mode & 0o077) !== 0) chmodSync(home, 0o700);
  accessSync(home, constants.W_OK);
}
