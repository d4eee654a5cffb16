/** A run as the files of its stored session say: also without a daemon. */
import type { Run, RunPlan } from '../../shared/schema/runs/run.ts';
import { isValid } from '../checkpoints/can-resume.ts';
import { loadCheckpoint } from '../checkpoints/load-checkpoint.ts';
import { adoptedRun } from './adopt-checkpoint.ts';
import { requirePlan, requireReport } from './executor/write-report.ts';
import { runView } from './run-view.ts';
import type { RunRecord } from './stores/run-record.ts';

/** As it would be resumed. Throws what `loadCheckpoint` throws. */
export function storedRecord(home: string, id: string): RunRecord {
  const checkpoint = loadCheckpoint(home, id);
  const place = { directory: checkpoint.working_dir, isRepository: false };
  const at = checkpoint.checkpoint_time;
  return adoptedRun(checkpoint, place, { home, at }).record;
}

/** The same as clients read it. */
export function storedRun(home: string, id: string, nowMs: number): Run {
  const record = storedRecord(home, id);
  const isThere = isValid({ working_dir: record.request.directory });
  const around = {
    worktree: null,
    place: null,
    hold: null,
    claim: null,
    activeMs: 0,
    hasPendingInput: false,
  };
  return runView(record, { ...around, isValid: isThere, nowMs });
}

/** Its plan. Throws `no_plan`, and what `loadCheckpoint` throws. */
export function storedPlan(home: string, id: string): RunPlan {
  return requirePlan(home, storedRecord(home, id));
}

/** Its report. Throws `no_report`, and what `loadCheckpoint` throws. */
export function storedReport(home: string, id: string): { text: string; path: string } {
  loadCheckpoint(home, id);
  return requireReport(home, id);
}
