/** Ids of runs as people type them: whole, or their first characters. */
import { readdirSync } from 'node:fs';
import { RUN_ID } from '../../../shared/schema/runs/checkpoint.ts';
import { sessionsDirectory } from '../../checkpoints/session-directory.ts';
import { AppError, systemCode } from '../../lib/app-error.ts';
import { readHome } from '../../lib/config/config.ts';
import { RunError, RunExit } from './run-exit.ts';

/**
 * The whole id, from the names of the stored sessions, also without a daemon. One that no session
 * has is returned as it is: only the daemon knows whether it has such a run. Throws a RunError (not
 * found) for what begins several ids or cannot be one, such as a path.
 */
export function findRunId(given: string): string {
  if (!RUN_ID.test(given)) throw runNotFound(given);
  const ids = storedIds();
  if (ids.includes(given)) return given;
  const close = ids.filter((id) => id.startsWith(given));
  const [only] = close;
  if (only === undefined) return given;
  if (close.length === 1) return only;
  const message = `${close.length} runs begin with "${given}"; type more of the id`;
  throw new RunError(RunExit.notFound, message);
}

/** The same for what is read from the files: it must be one of them. */
export function findStoredId(given: string): string {
  const id = findRunId(given);
  if (!storedIds().includes(id)) throw runNotFound(given);
  return id;
}

function runNotFound(given: string): RunError {
  const shown = JSON.stringify(given.slice(0, 80));
  const message = `Session not found: ${shown}; list them with: loopwatch run ls --all`;
  return new RunError(RunExit.notFound, message);
}

/** Names only: thousands of sessions are not opened to find one. */
function storedIds(): string[] {
  const directory = sessionsDirectory(readHome());
  try {
    return readdirSync(directory).filter((name) => RUN_ID.test(name));
  } catch (error) {
    const code = systemCode(error) ?? 'unknown error';
    if (code === 'ENOENT') return [];
    throw new AppError('checkpoint_unreadable', `${directory} cannot be read (${code})`);
  }
}
