/** One entry of the directory of sessions → a row of the list. Never throws. */
import { type Dirent, lstatSync, type Stats } from 'node:fs';
import { cutText } from '../../shared/rules/text/cut-text.ts';
import type {
  Checkpoint,
  CheckpointSummary,
  SessionProblem,
} from '../../shared/schema/runs/checkpoint.ts';
import { systemCode } from '../lib/app-error.ts';
import { toIso } from '../lib/clock.ts';
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
  const directory = `${sessions}/${id}`;
  if (!cache.has(id)) {
    // Of a file that was never read, opening it says as much as asking for it first.
    const read = readSession(directory, id);
    if (read.kind === 'checkpoint') {
      const seen = { summary: summaryOf(read.checkpoint) };
      cache.add(id, read.stat, seen);
      return seen;
    }
  }
  let stat: Stats;
  try {
    stat = lstatSync(`${directory}/${CHECKPOINT_FILE}`);
  } catch (error) {
    const code = systemCode(error);
    if (code !== 'ENOENT') return unread(id, code ?? 'unknown error');
    return problemOf(id, 'corrupt', 'Checkpoint is corrupt: checkpoint.json is missing', null);
  }
  const known = cache.get(id, stat);
  const read = known === null ? readSession(directory, id) : null;
  const seen = known ?? seenOf(read);
  if (seen === null) {
    const why =
      read?.kind === 'problem' ? read.message : 'Checkpoint cannot be read: it was removed';
    return problemOf(id, 'unreadable', why, toIso(stat.mtimeMs));
  }
  if (known === null) cache.add(id, stat, seen);
  if ('summary' in seen) return seen;
  return problemOf(id, seen.problem, seen.message, toIso(stat.mtimeMs));
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

/** Null for what may be readable later without a change of the file: it is not remembered. */
function seenOf(read: ReadSession | null): SeenSession | null {
  if (read?.kind === 'checkpoint') return { summary: summaryOf(read.checkpoint) };
  if (read?.kind !== 'problem' || read.problem === 'unreadable') return null;
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
