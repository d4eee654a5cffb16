import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { randomId } from '../lib/random-id.ts';
import { asStorageError } from '../lib/files/storage-error.ts';
import { findSession, sessionsDirectory } from './session-directory.ts';
import { busy, isLocked, isLockedIn } from './session-lock.ts';

/** No id of a session begins with a dot. */
const REMOVED = '.removed-';

/**
 * Removes the directory of a session and nothing else: links in it are removed, what they lead to
 * stays. A crash leaves the whole session or none. Throws an AppError: `run_unknown`, `run_busy` while
 * a live process has it, `checkpoint_unreadable` when it is a link or another user's, or of storage.
 */
export function deleteSession(home: string, id: string): void {
  const directory = findSession(home, id);
  if (isLocked(home, id)) throw busy(home, id);
  const sessions = sessionsDirectory(home);
  const away = join(sessions, `${REMOVED}${randomId()}`);
  try {
    renameSync(directory, away);
    // Taken between the check and the rename; from here on no one can take it.
    if (isLockedIn(away)) {
      renameSync(away, directory);
      throw busy(home, id);
    }
    rmSync(away, { recursive: true, force: true });
  } catch (error) {
    throw asStorageError(error);
  }
  dropRemoved(sessions);
}

/** Those of deletions that were killed. */
function dropRemoved(sessions: string): void {
  try {
    for (const name of readdirSync(sessions)) {
      if (name.startsWith(REMOVED)) rmSync(join(sessions, name), { recursive: true, force: true });
    }
  } catch {
    // Tried again by the next deletion.
  }
}
