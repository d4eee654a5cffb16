/** The files the daemon writes and removes in a task directory; it touches no other name there. */
import { lstatSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import {
  SIGNAL_FILE,
  SIGNAL_TEMPORARY_FILE,
  STOP_FILE,
  type StopFileReason,
} from '../../../shared/schema/loops/auto-signal.ts';
import { identityOf } from '../../lib/files/real-directory.ts';
import { writeStopRequest } from '../../modules/stop-request.ts';

/** A task directory, distinguishable from another one put in its place. */
export interface TaskDirectory {
  taskDir: string;
  dirIdentity: string | null;
}

/** Whether it is still the directory the loop was started on. */
export function taskDirStatus({
  taskDir,
  dirIdentity,
}: TaskDirectory): 'same' | 'gone' | 'replaced' {
  const identity = identityOf(taskDir);
  if (identity === null) return 'gone';
  return dirIdentity === null || identity === dirIdentity ? 'same' : 'replaced';
}

/** False when the directory does not allow it or is another one. */
export function writeStopFile(
  directory: TaskDirectory,
  reason: StopFileReason,
  at: string,
): boolean {
  if (taskDirStatus(directory) !== 'same') return false;
  try {
    writeStopRequest(directory.taskDir, reason, at);
    return true;
  } catch {
    return false;
  }
}

/** Removes leftover control files; one that cannot be removed stays and is judged as what it is. */
export function removeControlFiles(directory: TaskDirectory, names = ALL_FILES): void {
  if (taskDirStatus(directory) !== 'same') return;
  for (const name of names) {
    try {
      unlinkSync(join(directory.taskDir, name));
    } catch {
      // Absent, or a directory under that name: neither is ours to force.
    }
  }
}

/**
 * Removes a stop file whose content or name last changed before that time, in milliseconds since
 * 1970. The change time counts: an old file that is moved there is a new request.
 */
export function removeOlderStopFile(directory: TaskDirectory, beforeMs: number): void {
  try {
    const { ctimeMs } = lstatSync(join(directory.taskDir, STOP_FILE));
    if (ctimeMs < beforeMs) removeControlFiles(directory, [STOP_FILE]);
  } catch {
    // Absent: nothing is left over.
  }
}

const ALL_FILES: readonly string[] = [SIGNAL_FILE, SIGNAL_TEMPORARY_FILE, STOP_FILE];
