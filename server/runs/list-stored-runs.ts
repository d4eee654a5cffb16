/**
 * The list of stored runs, from the files alone: also without a daemon. It loads nothing of how runs
 * work, which takes a command longer than the list itself.
 */
import { runTitle } from '../../shared/rules/work/run-title.ts';
import type { CheckpointSummary } from '../../shared/schema/runs/checkpoint.ts';
import { DEFAULT_FIX_ROUNDS } from '../../shared/rules/work/run-limits.ts';
import type { RunProblem, RunSummary } from '../../shared/schema/runs/run.ts';
import type { RunStatus } from '../../shared/schema/runs/run-phase.ts';
import { laterFirst, listCheckpoints } from '../checkpoints/list-checkpoints.ts';
import type { SummaryCache } from '../checkpoints/summary-cache.ts';
import { storedEnd } from './stored-end.ts';

interface StoredListOptions {
  /** Of a process that lists more than once. */
  cache?: SummaryCache;
  /** Only runs with this status, and only the newest `most` of them; null: all. */
  status?: RunStatus | null;
  most?: number | null;
}

/**
 * Those that can be read, newest start first, how many they are with those left out, and every
 * problem. Rejects as `listCheckpoints`.
 */
export async function listStoredRuns(
  home: string,
  nowMs: number,
  { cache, status = null, most = null }: StoredListOptions = {},
): Promise<{ runs: RunSummary[]; total: number; problems: RunProblem[] }> {
  const { sessions, problems } = await listCheckpoints(home, nowMs, cache);
  const stale = new Set<string>();
  const invalid = new Set<string>();
  for (const { id, problem } of problems) {
    if (problem === 'stale') stale.add(id);
    else if (problem === 'invalid_directory') invalid.add(id);
  }
  const wanted =
    status === null ? sessions : sessions.filter((each) => storedEnd(each).status === status);
  const started = wanted.toSorted((one, other) =>
    laterFirst(one.original_start_time, other.original_start_time),
  );
  const listed = most === null ? started : started.slice(0, most);
  return {
    runs: listed.map((each) => {
      const id = each.session_id;
      return storedSummary(each, { stale: stale.has(id), valid: !invalid.has(id) });
    }),
    total: wanted.length,
    problems: problems.map(({ id, problem, message }) => ({ id, problem, message })),
  };
}

/** A stored session without a row; what its file does not say is 0 or unknown. */
function storedSummary(
  session: CheckpointSummary,
  resumable: Pick<RunSummary, 'stale' | 'valid'>,
): RunSummary {
  const { session_id: id, completed_at, checkpoint_time } = session;
  return {
    id,
    title: runTitle(session.prompt),
    working_dir: session.working_dir,
    worktree_path: null,
    branch: null,
    ...storedEnd(session),
    stage: 'over',
    phase: session.phase,
    iteration: session.iteration,
    max_fix_rounds: DEFAULT_FIX_ROUNDS,
    wait: null,
    proof: null,
    active_seconds: 0,
    cost_usd: session.cost_usd,
    output_tokens: 0,
    model: null,
    context_percent: null,
    ...resumable,
    created_by: null,
    started_at: session.original_start_time,
    updated_at: checkpoint_time,
    completed_at,
  };
}
