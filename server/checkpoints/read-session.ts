/** One session as it is on the disk. Only reads, and never throws: damage is part of the result. */
import { closeSync, readSync, type Stats } from 'node:fs';
import { type Checkpoint, RunPhase } from '../../shared/schema/runs/checkpoint.ts';
import { openHostileFile, type Refusal } from '../lib/files/hostile-file.ts';
import { parseCheckpoint } from './parse-checkpoint.ts';
import { CHECKPOINT_FILE } from './session-directory.ts';

/** Far more than a run of a day writes; all of it is held in memory once. */
export const MAX_CHECKPOINT_BYTES = 64 * 1024 * 1024;

/** A kill between two steps of a save leaves a second name, that of the previous one. */
const MOST_NAMES = 2;

export type ReadSession =
  /** `stat` is of the file that was read, before it was. */
  | { kind: 'checkpoint'; checkpoint: Checkpoint; stat: Stats }
  | { kind: 'absent' }
  | { kind: 'problem'; problem: 'corrupt' | 'version' | 'unreadable'; message: string };

const REFUSALS: Record<Refusal, string> = {
  not_a_file: 'is a link or no regular file',
  too_large: `is larger than ${MAX_CHECKPOINT_BYTES / 1024 / 1024} MiB`,
  not_utf8: 'is not UTF-8',
  foreign_owner: 'belongs to another user',
  hard_link: 'has several hard links',
  unreadable: 'cannot be read',
};

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Reads `name` in the directory of the session with that id. */
export function readSession(directory: string, id: string, name = CHECKPOINT_FILE): ReadSession {
  const read = readText(`${directory}/${name}`);
  if (read === 'absent') return { kind: 'absent' };
  if (typeof read === 'string') return unreadable(read);
  const parsed = parseCheckpoint(read.text, id);
  if (parsed.kind === 'checkpoint') return { ...parsed, stat: read.stat };
  if (parsed.kind === 'corrupt') return corrupt(parsed.why);
  if (parsed.kind === 'foreign') {
    const message =
      `Checkpoint is of another program: its phase ${parsed.phase} is none of ` +
      `${RunPhase.options.join(', ')}. It stays as it is; finish it with that program`;
    return { kind: 'problem', problem: 'unreadable', message };
  }
  const message =
    `Checkpoint has version ${parsed.version}, which this Loopwatch does not know. ` +
    'Update Loopwatch to use it';
  return { kind: 'problem', problem: 'version', message };
}

function readText(path: string): { text: string; stat: Stats } | 'absent' | Refusal {
  const opened = openHostileFile(path, MOST_NAMES);
  if (typeof opened === 'string') return opened;
  const { file, stat } = opened;
  try {
    if (stat.size > MAX_CHECKPOINT_BYTES) return 'too_large';
    // Not with `readFileSync`, which asks for the size of each of ten thousand files again.
    const buffer = Buffer.allocUnsafe(stat.size);
    let length = 0;
    while (length < stat.size) {
      const read = readSync(file, buffer, length, stat.size - length, null);
      if (read === 0) break;
      length += read;
    }
    return { text: decoder.decode(buffer.subarray(0, length)), stat };
  } catch (error) {
    return error instanceof TypeError ? 'not_utf8' : 'unreadable';
  } finally {
    closeSync(file);
  }
}

function unreadable(cause: Refusal): ReadSession {
  if (cause === 'not_utf8') return corrupt(`it ${REFUSALS[cause]}`);
  const message = `Checkpoint cannot be read: ${CHECKPOINT_FILE} ${REFUSALS[cause]}`;
  return { kind: 'problem', problem: 'unreadable', message };
}

function corrupt(why: string): ReadSession {
  return { kind: 'problem', problem: 'corrupt', message: `Checkpoint is corrupt: ${why}` };
}
