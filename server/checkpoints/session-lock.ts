/** `lock` in the directory of a session names the process that runs it. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../lib/app-error.ts';
import { temporaryPrefix } from '../lib/files/atomic-file.ts';
import { toIso } from '../lib/clock.ts';
import {
  acquireLockFile,
  type LockHolder,
  readLockFile,
  releaseLockFile,
} from '../lib/processes/lock-file.ts';
import { readProcess } from '../lib/processes/process-identity.ts';
import { asStorageError } from '../lib/files/storage-error.ts';
import { CHECKPOINT_FILE, openSession, sessionDirectory } from './session-directory.ts';

const LOCK_FILE = 'lock';

/**
 * Takes the session for this process, and creates its directory. Returns the release. Throws
 * `run_busy` while a live process has it, this one included, and an AppError of storage.
 */
export function lockSession(home: string, id: string, nowMs: number): () => void {
  try {
    const directory = openSession(home, id);
    const path = join(directory, LOCK_FILE);
    const holder = ownHolder(nowMs);
    const outcome = acquireLockFile(path, holder, 0o600);
    if (outcome !== 'acquired' && outcome !== 'taken_over') throw busy(home, id);
    dropLeftovers(directory);
    return () => releaseLockFile(path, holder);
  } catch (error) {
    throw asStorageError(error);
  }
}

/** True while a live process has it. What is no lock counts as one: only a person may remove it. */
export function isLocked(home: string, id: string): boolean {
  return isLockedIn(sessionDirectory(home, id));
}

export function isLockedIn(directory: string): boolean {
  const lock = readLockFile(join(directory, LOCK_FILE));
  return lock.kind === 'foreign' || (lock.kind === 'held' && lock.isAlive);
}

/** Why it cannot be taken or removed now. */
export function busy(home: string, id: string): AppError {
  const path = join(sessionDirectory(home, id), LOCK_FILE);
  const lock = readLockFile(path);
  return lock.kind === 'held'
    ? new AppError('run_busy', `Session ${id} is in use by process ${lock.by.pid}. Stop it first`)
    : new AppError('run_busy', `Session ${id} is in use. If nothing runs it, remove ${path}`);
}

function ownHolder(nowMs: number): LockHolder {
  const { pid } = process;
  return { pid, startedAt: readProcess(pid)?.startedAt ?? '', run: null, since: toIso(nowMs) };
}

/** Halves of files that a killed save left: only the holder writes here. */
function dropLeftovers(directory: string): void {
  const halves = [CHECKPOINT_FILE, LOCK_FILE].map(temporaryPrefix);
  for (const name of readdirSync(directory)) {
    if (halves.some((half) => name.startsWith(half)))
      rmSync(join(directory, name), { force: true });
  }
}
