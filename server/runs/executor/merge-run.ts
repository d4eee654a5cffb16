/** Merges the work of a run into a local branch once its checks pass on the merged result. */
import { mergeRefusal } from '../../checks/check-merge.ts';
import { AppError, messageOf } from '../../lib/app-error.ts';
import { landedCommit } from '../../worktrees/reading/landed-commit.ts';
import type { MergeResult } from '../../worktrees/changing/merge-work.ts';
import type { MachineInput } from '../machine/run-state.ts';
import type { RunRecord } from '../stores/run-record.ts';
import { checkMark } from './run-checks.ts';
import type { EffectOptions } from './run-supervisor-options.ts';
import { ownWorktree } from './work-place.ts';

type Options = Pick<EffectOptions, 'worktrees' | 'environment' | 'clock' | 'testTimeoutMs'> & {
  record: () => RunRecord;
};

interface Merge {
  into: string;
  squash: boolean;
  /** Refuses a result that no check proves. */
  needsProof: boolean;
}

/**
 * Returns the commit; changes no other branch and pushes nothing. Throws `no_worktree`,
 * `branch_missing`, `merge_conflict`, `merge_refused`, `branch_in_use` and `git_failed`; the branch
 * has then not moved.
 */
export async function mergeRun(
  options: Options,
  merge: Merge,
  signal: AbortSignal,
): Promise<string> {
  const { merged } = await attemptMerge(options, merge, signal);
  return landedCommit(merged, { into: merge.into, owner: 'run' });
}

/** The merge that a run was started for. Null when it was aborted before the branch moved. */
export async function mergeCompleted(
  options: Options,
  signal: AbortSignal,
): Promise<MachineInput | null> {
  const into = options.record().request.options.merge_into ?? '';
  const merge = { into, squash: false, needsProof: true };
  try {
    const { commit, base, merged } = await attemptMerge(options, merge, signal);
    if (merged.kind !== 'nothing') {
      return { kind: 'merged', into, commit: landedCommit(merged, { into, owner: 'run' }) };
    }
    // A merge that landed before the daemon died.
    if (commit !== base) return { kind: 'merged', into, commit };
    return { kind: 'not_merged', why: 'the run changed nothing' };
  } catch (error) {
    return signal.aborted ? null : { kind: 'not_merged', why: messageOf(error) };
  }
}

async function attemptMerge(
  options: Options,
  { into, squash, needsProof }: Merge,
  signal: AbortSignal,
): Promise<{ commit: string; base: string; merged: MergeResult }> {
  const { worktrees, record } = options;
  const { id, request } = record();
  const own = ownWorktree(options);
  if (own === null) throw new AppError('no_worktree', `run ${id} has no worktree of its own`);
  const commit = await worktrees.commit(own, `Work of run ${id}`);
  const [title = ''] = request.options.prompt.split('\n');
  const merged = await worktrees.merge(own, {
    into,
    squash,
    message: `Merge run ${id}: ${title.slice(0, 100)}`,
    verify: async (directory) => refusal(options, { directory, needsProof, signal }),
    signal,
  });
  return { commit, base: own.baseCommit, merged };
}

/** Why the merged result may not stay; null when its checks pass. */
async function refusal(
  { environment, clock, testTimeoutMs, record }: Options,
  {
    directory,
    needsProof,
    signal,
  }: { directory: string; needsProof: boolean; signal: AbortSignal },
): Promise<string | null> {
  const { id, request } = record();
  const { test_commands: tests = null, gates } = request.options;
  const mark = checkMark(id);
  const bounds = { directory, mark, environment, clock, timeoutMs: testTimeoutMs };
  return mergeRefusal({ tests, gates, needsProof, ...bounds }, signal);
}
