/** One entry of the directory of sessions → a row of the list. Never throws. */
import { type BigIntStats, type Dirent, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { cutText } from '../../shared/rules/cut-text.ts';
import type {
  Checkpoint,
  CheckpointSummary,
  SessionProblem,
} from '../../shared/schema/runs/checkpoint.ts';
import { systemCode } from '../lib/app-error.ts';
import { toIso } from '../lib/clock.ts';
import { markOfStat } from '../lib/hostile-file.ts';
import { type ReadSession, readSession } from './read-session.ts';
import { CHECKPOINT_FILE } from './session-directory.ts';
import type { SeenSession, SummaryCache } from './summary-cache.ts';

const PROMPT_BYTES = 200;

type Row = { summary: CheckpointSummary } | { problem: SessionProblem };

/** Null for what is no session: a file. */
export function listSession(sessions: string, entry: Dirent, cache: SummaryCache): Row | null {
  const id = entry.name;
  if (entry.isSymbolicLink()) return unread(id, 'its directory is a link');
  if (!entry.isDirectory()) return null;
  const directory = join(sessions, id);
  let stat: BigIntStats;
  try {
    stat = lstatSync(join(directory, CHECKPOINT_FILE), { bigint: true });
  } catch (error) {
    const code = systemCode(error);
    if (code !== 'ENOENT') return unread(id, code ?? 'unknown error');
    return problemOf(id, 'corrupt', 'Checkpoint is corrupt: checkpoint.json is missing', null);
  }
  const mark = markOfStat(stat);
  const known = cache.get(id, mark);
  const seen = known ?? seenOf(readSession(directory, id));
  // What cannot be opened now may be readable later without a change of the file.
  if (seen === null) return unread(id, `${CHECKPOINT_FILE} cannot be opened`);
  if (known === null) cache.add(id, mark, seen);
  if ('summary' in seen) return seen;
  return problemOf(id, seen.problem, seen.message, toIso(Number(stat.mtimeMs)));
}

function unread(id: string, why: string): Row {
  return problemOf(id, 'unreadable', `Checkpoint cannot be read: ${why}`, null);
}

function problemOf(
  id: string,
  problem: SessionProblem['problem'],
  message: string,
  modified_at: string | null,
): Row {
  return { problem: { id, problem, message, modified_at } };
}

function seenOf(read: ReadSession): SeenSession | null {
  if (read.kind === 'checkpoint') return { summary: summaryOf(read.checkpoint) };
  if (read.kind === 'absent' || read.problem === 'unreadable') return null;
  return { problem: read.problem, message: read.message };
}

function summaryOf(checkpoint: Checkpoint): CheckpointSummary {
  return {
    session_id: checkpoint.session_id,
    checkpoint_time: checkpoint.checkpoint_time,
    original_start_time: checkpoint.original_start_time,
    phase: checkpoint.phase,
    iteration: checkpoint.iteration,
    model: checkpoint.model,
    working_dir: checkpoint.working_dir,
    prompt: cutText(checkpoint.prompt, PROMPT_BYTES),
    force_stopped: checkpoint.force_stopped,
    force_stop_reason: checkpoint.force_stop_reason,
    completed_at: checkpoint.completed_at,
    cost_usd: checkpoint.usage.cost_usd,
  };
}
