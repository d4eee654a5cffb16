/**
 * Lets one daemon at a time own a home. The lock is an open SQLite transaction: the kernel frees it
 * the moment the process dies, so there is no stale lock to clear.
 */
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { systemCode } from '../lib/app-error.ts';

export class HomeLockedError extends Error {}

/** Takes the home directory; gives a release. Throws a HomeLockedError while another daemon lives. */
export function lockHome(home: string): () => void {
  const lock = new Sqlite(join(home, 'lock.db'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (systemCode(error) !== 'SQLITE_BUSY') throw error;
    throw new HomeLockedError(`another daemon already runs on ${home}`);
  }
  return () => lock.close();
}
