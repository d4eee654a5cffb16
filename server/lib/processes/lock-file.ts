/**
 * A file that names the one process which may change a directory, by pid and start time. A lock whose
 * process is gone is taken over; one that is alive is never touched.
 */
import {
  closeSync,
  linkSync,
  lstatSync,
  openSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { z } from 'zod';
import { systemCode } from '../app-error.ts';
import { writeFileAtomic } from '../files/atomic-file.ts';
import { readRegular } from '../files/hostile-file.ts';
import { isAlive, isSameProcess, type ProcessIdentity } from './process-identity.ts';
import { randomId } from '../random-id.ts';

/** Taking over takes milliseconds; an older claim is left from a process that was killed. */
const STALE_CLAIM_MS = 60_000;

const MAX_LOCK_BYTES = 4096;

const LockHolder = z.object({
  pid: z.int().min(1),
  startedAt: z.string().max(100),
  /** Of the daemon's run that started it; null when a person did. */
  run: z.string().max(100).nullable(),
  since: z.string().max(100),
});
export type LockHolder = z.infer<typeof LockHolder>;

export type LockState =
  | { kind: 'free' }
  | { kind: 'held'; by: LockHolder; isAlive: boolean }
  /** Something else has that name; a person removes it. */
  | { kind: 'foreign' };

export type LockOutcome = 'acquired' | 'taken_over' | 'already_held' | 'refused';

export function readLockFile(path: string): LockState {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return { kind: 'free' };
  try {
    const isFile = lstatSync(path).isFile();
    const by = LockHolder.parse(
      JSON.parse(isFile ? (readRegular(path, MAX_LOCK_BYTES) ?? '') : ''),
    );
    return { kind: 'held', by, isAlive: isAlive(by) };
  } catch (error) {
    // Released in between.
    return systemCode(error) === 'ENOENT' ? { kind: 'free' } : { kind: 'foreign' };
  }
}

/** Again for its own holder is fine. Throws the system's error when the directory allows no lock. */
export function acquireLockFile(path: string, holder: LockHolder, mode: number): LockOutcome {
  if (createLock(path, holder, mode)) return 'acquired';
  const found = readLockFile(path);
  if (found.kind === 'free') return createLock(path, holder, mode) ? 'acquired' : 'refused';
  if (found.kind === 'foreign') return 'refused';
  if (isSameProcess(found.by, holder)) return 'already_held';
  if (found.isAlive) return 'refused';
  return replaceDead(path, holder, mode) ? 'taken_over' : 'refused';
}

/** Gives false when another living process holds it, or what is there is no lock. */
export function releaseLockFile(path: string, holder: ProcessIdentity): boolean {
  const found = readLockFile(path);
  if (found.kind === 'free') return true;
  if (found.kind === 'foreign') return false;
  if (found.isAlive && !isSameProcess(found.by, holder)) return false;
  unlinkSync(path);
  return true;
}

/** Whole at once: a link to a finished file fails where there is a lock already. */
function createLock(path: string, holder: LockHolder, mode: number): boolean {
  const finished = `${path}.tmp-${randomId()}`;
  writeFileSync(finished, `${JSON.stringify(holder)}\n`, { flag: 'wx', mode });
  try {
    linkSync(finished, path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    unlinkSync(finished);
  }
}

function replaceDead(path: string, holder: LockHolder, mode: number): boolean {
  // Held for the moment of taking over: of two that see a dead holder one replaces its lock.
  const claim = `${path}.claim`;
  dropStaleClaim(claim);
  try {
    closeSync(openSync(claim, 'wx'));
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    const found = readLockFile(path);
    if (found.kind !== 'held' || found.isAlive) return false;
    writeFileAtomic(dirname(path), basename(path), `${JSON.stringify(holder)}\n`, mode);
    return true;
  } finally {
    unlinkSync(claim);
  }
}

function dropStaleClaim(claim: string): void {
  const stat = lstatSync(claim, { throwIfNoEntry: false });
  if (stat?.isFile() === true && Date.now() - stat.mtimeMs > STALE_CLAIM_MS) {
    rmSync(claim, { force: true });
  }
}
