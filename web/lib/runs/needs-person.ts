/** Whether a run waits for a person. Pure. */
import type { Reason } from '$shared/schema/reasons.ts';
import type { RunSummary } from '$shared/schema/runs/run.ts';

/** Waits that end without a person, also where their end is unknown. */
const ENDS_ALONE: ReadonlySet<Reason> = new Set([
  'quota',
  'retrying',
  'overloaded',
  'hung_stream',
  'concurrency',
  'dependency',
  'checking',
]);

export function needsPerson({ status, wait }: Pick<RunSummary, 'status' | 'wait'>): boolean {
  if (status !== 'waiting' || wait === null) return false;
  return wait.until === null && !ENDS_ALONE.has(wait.reason);
}
