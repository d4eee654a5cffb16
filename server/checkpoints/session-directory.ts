/** Where the files of a phased run are: `sessions/<id>/` in the home, readable by its owner alone. */
import { chmodSync, lstatSync, mkdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { RunId } from '../../shared/schema/runs/checkpoint.ts';
import { AppError, systemCode } from '../lib/app-error.ts';

export const CHECKPOINT_FILE = 'checkpoint.json';
export const PREVIOUS_FILE = 'checkpoint.previous.json';

export function sessionsDirectory(home: string): string {
  return join(home, 'sessions');
}

/** Throws `run_unknown` for what is no id of a session, such as a path. */
export function sessionDirectory(home: string, id: string): string {
  if (!RunId.safeParse(id).success) throw sessionUnknown(id);
  return join(sessionsDirectory(home), id);
}

/** Throws `run_unknown` for what is no id of a session, such as a path. */
export function checkpointPath(home: string, id: string): string {
  return join(sessionDirectory(home, id), CHECKPOINT_FILE);
}

export function sessionUnknown(id: string): AppError {
  const shown = JSON.stringify(id.slice(0, 80));
  return new AppError(
    'run_unknown',
    `Session not found: ${shown}; list them with: loopwatch run ls`,
  );
}

/**
 * The directory of an existing session. Throws `run_unknown` when it is absent, and
 * `checkpoint_unreadable` when it is a link or belongs to another user.
 */
export function findSession(home: string, id: string): string {
  const directory = sessionDirectory(home, id);
  const stat = lstatSync(directory, { throwIfNoEntry: false });
  if (stat === undefined) throw sessionUnknown(id);
  checkOwn(directory, stat);
  return directory;
}

/** The same, and creates it, with the rights of its owner only. Throws the system's error too. */
export function openSession(home: string, id: string): string {
  const directory = sessionDirectory(home, id);
  openSessions(home);
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
  const stat = lstatSync(directory);
  checkOwn(directory, stat);
  closeToOthers(directory, stat);
  return directory;
}

/** Creates the directory of all sessions. It may be a link, to another disk. */
export function openSessions(home: string): string {
  const directory = sessionsDirectory(home);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const stat = statSync(directory);
  checkOwn(directory, stat);
  closeToOthers(directory, stat);
  return directory;
}

function checkOwn(path: string, stat: Stats): void {
  if (!stat.isDirectory()) throw unreadable(path, 'is a link or a file, not a directory');
  const isForeign = process.getuid !== undefined && stat.uid !== process.getuid();
  if (isForeign) throw unreadable(path, 'belongs to another user');
}

function unreadable(path: string, why: string): AppError {
  return new AppError(
    'checkpoint_unreadable',
    `${path} ${why}; nothing was read or changed. Move it away, or fix its owner`,
  );
}

function closeToOthers(path: string, stat: Stats): void {
  if ((stat.mode & 0o077) !== 0) chmodSync(path, 0o700);
}
