/** Whether a session can be continued where it was. */
import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';

export const STALE_AFTER_MS = 24 * 60 * 60_000;

/** True when its checkpoint is older than 24 hours; exactly 24 hours are not stale. */
export function isStale({ checkpoint_time }: { checkpoint_time: string }, nowMs: number): boolean {
  return nowMs - Date.parse(checkpoint_time) > STALE_AFTER_MS;
}

/** False when its working directory does not exist any more. */
export function isValid({ working_dir }: { working_dir: string }): boolean {
  try {
    // A relative path would depend on where this process runs.
    return isAbsolute(working_dir) && statSync(working_dir).isDirectory();
  } catch {
    return false;
  }
}
