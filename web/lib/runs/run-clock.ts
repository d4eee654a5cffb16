/** What a run used, at this moment: its clock continues between two readings. Pure. */
import type { RunPhase } from '$shared/schema/runs/run-phase.ts';
import type { PhaseSpend, Run, RunSummary } from '$shared/schema/runs/run.ts';

/** Working time in seconds; `sinceReadMs`: how old the reading is. */
export function activeSeconds(
  run: Pick<RunSummary, 'status' | 'active_seconds'>,
  sinceReadMs: number,
): number {
  return run.active_seconds + tickingSeconds(run, sinceReadMs);
}

/** By phase; the current one continues. */
export function spentNow(
  run: Pick<Run, 'status' | 'phase' | 'spent'>,
  sinceReadMs: number,
): Partial<Record<RunPhase, PhaseSpend>> {
  const { phase, spent } = run;
  if (phase === 'complete') return spent;
  const current = spent[phase];
  const seconds = current.seconds + tickingSeconds(run, sinceReadMs);
  return { ...spent, [phase]: { ...current, seconds } };
}

/** Waits do not count as work. */
function tickingSeconds({ status }: Pick<RunSummary, 'status'>, sinceReadMs: number): number {
  return status === 'running' ? Math.max(0, sinceReadMs) / 1000 : 0;
}
