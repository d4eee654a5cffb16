/** How far a run is on its way through the phases. Pure. */
import { WORK_PHASES } from '$shared/rules/work/run-phases.ts';
import type { RunPhase, RunStatus } from '$shared/schema/runs/run-phase.ts';
import { PHASE_TEXT } from '$shared/words/work/run-text.ts';

export const RAIL_PHASES: readonly RunPhase[] = [...WORK_PHASES, 'complete'];

/** `ended`: the run stopped or failed there. `skipped`: it was complete without it. */
export type RailStage = 'done' | 'current' | 'ended' | 'skipped' | 'ahead';

export interface RailPlace {
  phase: RunPhase;
  /** The fix phase names its round. */
  label: string;
  stage: RailStage;
}

export interface RailSubject {
  phase: RunPhase;
  /** Fix rounds begun. */
  iteration: number;
  status: RunStatus;
}

export function phaseRail(run: RailSubject): RailPlace[] {
  return RAIL_PHASES.map((phase) => ({
    phase,
    label: phaseLabel(phase, run.iteration),
    stage: stageOf(phase, run),
  }));
}

/** "Fix 2": the round, once one has begun. */
export function phaseLabel(phase: RunPhase, iteration: number): string {
  const { label } = PHASE_TEXT[phase];
  return phase === 'fix' && iteration > 0 ? `${label} ${iteration}` : label;
}

function stageOf(place: RunPhase, { phase, iteration, status }: RailSubject): RailStage {
  const isFixed = iteration > 0;
  if (status === 'done') return place === 'fix' && !isFixed ? 'skipped' : 'done';
  if (place === phase) return status === 'stopped' || status === 'failed' ? 'ended' : 'current';
  // The review comes again after each fix.
  if (place === 'fix') {
    if (isFixed) return 'done';
    return phase === 'complete' ? 'skipped' : 'ahead';
  }
  return RAIL_PHASES.indexOf(place) < RAIL_PHASES.indexOf(phase) ? 'done' : 'ahead';
}
