import { join } from 'node:path';
import type { Checkpoint } from '../../shared/schema/runs/checkpoint.ts';
import { AppError } from '../lib/app-error.ts';
import { readSession } from './read-session.ts';
import { findSession, PREVIOUS_FILE, sessionUnknown } from './session-directory.ts';

const CODES = {
  corrupt: 'checkpoint_corrupt',
  version: 'checkpoint_version',
  unreadable: 'checkpoint_unreadable',
} as const;

/**
 * The checkpoint of a session. Throws an AppError: `run_unknown`, `checkpoint_corrupt` (its details
 * name a previous checkpoint that still reads, or null), `checkpoint_version`,
 * `checkpoint_unreadable`.
 */
export function loadCheckpoint(home: string, id: string): Checkpoint {
  const directory = findSession(home, id);
  const read = readSession(directory, id);
  if (read.kind === 'checkpoint') return read.checkpoint;
  const previous = readSession(directory, id, PREVIOUS_FILE);
  const spare = previous.kind === 'checkpoint' ? join(directory, PREVIOUS_FILE) : null;
  if (read.kind === 'absent') {
    if (spare === null) throw sessionUnknown(id);
    throw corrupt('Checkpoint is corrupt: checkpoint.json is missing', spare);
  }
  if (read.problem === 'corrupt') throw corrupt(read.message, spare);
  throw new AppError(CODES[read.problem], read.message);
}

/** The checkpoint before the last save, or null when there is none that can be read. */
export function loadPrevious(home: string, id: string): Checkpoint | null {
  const read = readSession(findSession(home, id), id, PREVIOUS_FILE);
  return read.kind === 'checkpoint' ? read.checkpoint : null;
}

function corrupt(message: string, spare: string | null): AppError {
  const next =
    spare === null
      ? 'Delete the session and start again'
      : `The one before it still reads: ${spare}. Copy it over checkpoint.json to resume from there`;
  return new AppError('checkpoint_corrupt', `${message}. ${next}`, { previous: spare });
}
