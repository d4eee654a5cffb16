/**
 * One agent works on a module at a time: `.lock` names the process that does, by pid and start time.
 * A lock whose process has ended is taken over; one that is alive is never touched.
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
import { join } from 'node:path';
import { z } from 'zod';
import { systemCode } from '../lib/app-error.ts';
import { writeFileAtomic } from '../lib/atomic-file.ts';
import { readRegular } from '../lib/hostile-file.ts';
import { isAlive, isSameProcess, type ProcessIdentity } from '../lib/process-identity.ts';
import type { ListedProcess } from '../lib/processes.ts';
import { randomId } from '../lib/random-id.ts';

const LOCK_FILE = '.lock';
/** Held for the moment of taking over: of two that see a dead holder one replaces its lock. */
const CLAIM_FILE = '.lock.claim';

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

export function readLock(directory: string): LockState {
  const path = join(directory, LOCK_FILE);
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
export function acquireLock(directory: string, holder: LockHolder): LockOutcome {
  if (createLock(directory, holder)) return 'acquired';
  const found = readLock(directory);
  if (found.kind === 'free') return createLock(directory, holder) ? 'acquired' : 'refused';
  if (found.kind === 'foreign') return 'refused';
  if (isSameProcess(found.by, holder)) return 'already_held';
  if (found.isAlive) return 'refused';
  return replaceDead(directory, holder) ? 'taken_over' : 'refused';
}

/** Gives false when another living process holds it, or what is there is no lock. */
export function releaseLock(directory: string, holder: ProcessIdentity): boolean {
  const found = readLock(directory);
  if (found.kind === 'free') return true;
  if (found.kind === 'foreign') return false;
  if (found.isAlive && !isSameProcess(found.by, holder)) return false;
  unlinkSync(join(directory, LOCK_FILE));
  return true;
}

/**
 * The agent a command was called by: the first ancestor that is no shell. Null when there is none, as
 * for a command typed by a person.
 */
export function callingAgent(
  processes: readonly ListedProcess[],
  pid: number,
): ProcessIdentity | null {
  const byPid = new Map(processes.map((each) => [each.pid, each]));
  let found = byPid.get(byPid.get(pid)?.parent ?? 0);
  while (found !== undefined && SHELLS.has(found.name.replace(/^-/, ''))) {
    found = byPid.get(found.parent);
  }
  if (found === undefined || found.pid <= 1 || TERMINAL.test(found.name)) return null;
  return { pid: found.pid, startedAt: found.startedAt };
}

/** What a person's own shell runs in; it outlives every agent. */
const TERMINAL = /^(?:tmux|screen|sshd|login|systemd|init|launchd)\b/i;
const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'fish', 'ksh', 'ash', 'busybox', 'env']);

/** Whole at once: a link to a finished file fails where there is a lock already. */
function createLock(directory: string, holder: LockHolder): boolean {
  const finished = join(directory, `${LOCK_FILE}.tmp-${randomId()}`);
  writeFileSync(finished, `${JSON.stringify(holder)}\n`, { flag: 'wx', mode: 0o644 });
  try {
    linkSync(finished, join(directory, LOCK_FILE));
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    unlinkSync(finished);
  }
}

function replaceDead(directory: string, holder: LockHolder): boolean {
  const claim = join(directory, CLAIM_FILE);
  dropStaleClaim(claim);
  try {
    closeSync(openSync(claim, 'wx'));
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    const found = readLock(directory);
    if (found.kind !== 'held' || found.isAlive) return false;
    writeFileAtomic(directory, LOCK_FILE, `${JSON.stringify(holder)}\n`, 0o644);
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
