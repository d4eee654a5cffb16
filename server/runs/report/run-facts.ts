import type { Run, RunCheck, RunPlan } from '../../../shared/schema/runs/run.ts';
import type { WorkDiff } from '../../../shared/schema/tasks/project.ts';

/** What a report is made of. */
export interface RunFacts {
  run: Run;
  /** Null when the run ended before it had one. */
  plan: RunPlan | null;
  /** Of all rounds, oldest first. */
  checks: readonly RunCheck[];
  /** Everything the run changed; null when it cannot be read, or without git. */
  diff: WorkDiff | null;
  /** Calls that the permissions refused, such as `Bash: npm publish`. */
  denied: readonly string[];
}

/** The checks of the last round that had any. */
export function lastChecks(checks: readonly RunCheck[]): RunCheck[] {
  const last = Math.max(...checks.map(({ iteration }) => iteration));
  return checks.filter(({ iteration }) => iteration === last);
}
