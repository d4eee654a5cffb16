/** One agent works on a module at a time: `.lock` in its directory names it. */
import { join } from 'node:path';
import {
  acquireLockFile,
  type LockHolder,
  type LockOutcome,
  type LockState,
  readLockFile,
  releaseLockFile,
} from '../lib/processes/lock-file.ts';
import type { ProcessIdentity } from '../lib/processes/process-identity.ts';
import type { ListedProcess } from '../lib/processes/processes.ts';

const LOCK_FILE = '.lock';

export function readLock(directory: string): LockState {
  return readLockFile(join(directory, LOCK_FILE));
}

/** Again for its own holder is fine. Throws the system's error when the directory allows no lock. */
export function acquireLock(directory: string, holder: LockHolder): LockOutcome {
  return acquireLockFile(join(directory, LOCK_FILE), holder, 0o644);
}

/** Gives false when another living process holds it, or what is there is no lock. */
export function releaseLock(directory: string, holder: ProcessIdentity): boolean {
  return releaseLockFile(join(directory, LOCK_FILE), holder);
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
