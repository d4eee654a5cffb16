/** Runs the checks of an owner's work on the result of a merge. For any owner. */
import type { Gate } from '../../shared/schema/tasks/end-criteria.ts';
import { type Check, type CheckContext, type CheckResult, runChecks } from './host-check.ts';
import { plannedChecks } from './planned-checks.ts';

export interface MergeChecks extends Pick<
  CheckContext,
  'directory' | 'mark' | 'environment' | 'clock' | 'timeoutMs'
> {
  /** Null: those found at the root of the merged result. */
  tests: readonly string[] | null;
  gates: readonly Gate[];
  /** Refuses a result that no check proves. */
  needsProof: boolean;
  finished?: (check: Check, result: CheckResult) => void;
}

/**
 * Why the merged result may not stay; null when its checks pass. `directory` is a clean checkout of
 * it: tests and gates run there.
 */
export async function mergeRefusal(
  { tests, gates, needsProof, finished, ...bounds }: MergeChecks,
  signal: AbortSignal,
): Promise<string | null> {
  const checks = plannedChecks({ tests, gates }, bounds.directory);
  const context = {
    ...bounds,
    checkout: () => Promise.resolve({ path: bounds.directory, dispose: () => Promise.resolve() }),
    finished: (index: number, result: CheckResult) => {
      const check = checks[index];
      if (check !== undefined) finished?.(check, result);
    },
  };
  const verdict = await runChecks(checks, context, signal);
  if (verdict === null) return 'they were cut off';
  if (verdict.outcome === 'none') {
    return needsProof ? 'there are none, so nothing proves it' : null;
  }
  return verdict.outcome === 'passed' ? null : verdict.detail;
}
