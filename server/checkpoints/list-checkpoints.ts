import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setImmediate as nextTick } from 'node:timers/promises';
import {
  type CheckpointSummary,
  RUN_ID,
  type SessionList,
  type SessionProblem,
} from '../../shared/schema/runs/checkpoint.ts';
import { AppError, systemCode } from '../lib/app-error.ts';
import { isStale, isValid } from './can-resume.ts';
import { listSession } from './list-session.ts';
import { sessionsDirectory } from './session-directory.ts';
import { SummaryCache } from './summary-cache.ts';

/** Sessions per tick: a few milliseconds, so that a daemon answers others in between. */
const PER_TICK = 100;

/**
 * Every stored session, newest first, and everything that keeps one from being read or resumed. A
 * complete session is never resumed, so it is neither stale nor without its directory. No directory
 * of sessions is an empty list. `cache`: of a process that lists more than once, one list at a time.
 * Rejects with `checkpoint_unreadable` when the directory of sessions cannot be read.
 */
export async function listCheckpoints(
  home: string,
  nowMs: number,
  cache = new SummaryCache(home),
): Promise<SessionList> {
  const directory = sessionsDirectory(home);
  cache.begin();
  const sessions: CheckpointSummary[] = [];
  const problems: SessionProblem[] = [];
  const directories = new Map<string, boolean>();
  for (const [index, entry] of (await entriesOf(directory)).entries()) {
    if (index % PER_TICK === PER_TICK - 1) await nextTick();
    const row = listSession(directory, entry, cache);
    if (row === null) continue;
    if ('problem' in row) problems.push(row.problem);
    else {
      sessions.push(row.summary);
      problems.push(...resumeProblems(row.summary, nowMs, directories));
    }
  }
  cache.keep();
  return { sessions: newestFirst(sessions), problems };
}

async function entriesOf(directory: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries.filter(({ name }) => RUN_ID.test(name));
  } catch (error) {
    const code = systemCode(error) ?? 'unknown error';
    if (code === 'ENOENT') return [];
    throw new AppError('checkpoint_unreadable', `${directory} cannot be read (${code})`);
  }
}

/** `directories` holds what is known of the working directories that were seen. */
function resumeProblems(
  session: CheckpointSummary,
  nowMs: number,
  directories: Map<string, boolean>,
): SessionProblem[] {
  if (session.phase === 'complete') return [];
  const { session_id: id, working_dir, checkpoint_time: modified_at } = session;
  const found: SessionProblem[] = [];
  const isThere = directories.get(working_dir) ?? isValid(session);
  directories.set(working_dir, isThere);
  if (!isThere) {
    const message = `Working directory not found: ${working_dir}`;
    found.push({ id, problem: 'invalid_directory', message, modified_at });
  }
  if (isStale(session, nowMs)) {
    const message = `Session is stale: last saved ${modified_at}, more than 24 hours ago`;
    found.push({ id, problem: 'stale', message, modified_at });
  }
  return found;
}

function newestFirst(sessions: CheckpointSummary[]): CheckpointSummary[] {
  return sessions.sort((one, other) => laterFirst(one.checkpoint_time, other.checkpoint_time));
}

/** For a sort. Times in UTC of one length are in the order of their texts; only others are parsed. */
export function laterFirst(one: string, other: string): number {
  if (one.length !== other.length) return Date.parse(other) - Date.parse(one);
  if (one === other) return 0;
  return one < other ? 1 : -1;
}
