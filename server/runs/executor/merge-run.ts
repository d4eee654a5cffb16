/** Merges the work of a run into a local branch once its checks pass on the merged result. */
import { runChecks } from '../../checks/host-check.ts';
import { plannedChecks } from '../../checks/planned-checks.ts';
import { AppError, messageOf } from '../../lib/app-error.ts';
import type { MergeResult } from '../../worktrees/merge-work.ts';
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
  if (merged.kind === 'nothing') {
    throw new AppError('merge_refused', `${merge.into} already has all of it; nothing to merge`);
  }
  return landed(merged, merge.into);
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
      return { kind: 'merged', into, commit: landed(merged, into) };
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
  });
  return { commit, base: own.baseCommit, merged };
}

function landed(merged: Exclude<MergeResult, { kind: 'nothing' }>, into: string): string {
  switch (merged.kind) {
    case 'merged':
      return merged.commit;
    case 'conflicts': {
      const { files } = merged;
      const next = 'resolve them on its branch, or send the run that instruction';
      const message = `conflicts with ${into} in ${files.join(', ')}; ${next}`;
      throw new AppError('merge_conflict', message, { files });
    }
    case 'refused':
      throw new AppError('merge_refused', `the checks fail on the merged result: ${merged.detail}`);
    case 'in_use':
      throw new AppError('branch_in_use', merged.detail);
    case 'moved':
      throw new AppError('merge_refused', merged.detail);
  }
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
  const checks = plannedChecks({ tests, gates }, directory);
  const context = {
    directory,
    checkout: () => Promise.resolve({ path: directory, dispose: () => Promise.resolve() }),
    mark: checkMark(id),
    environment,
    clock,
    timeoutMs: testTimeoutMs,
    finished: () => undefined,
  };
  const verdict = await runChecks(checks, context, signal);
  if (verdict === null) return 'they were cut off';
  if (verdict.outcome === 'none') {
    return needsProof ? 'there are none, so nothing proves it' : null;
  }
  return verdict.outcome === 'passed' ? null : verdict.detail;
}
