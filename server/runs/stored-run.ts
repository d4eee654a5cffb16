/** A run as the files of its stored session say: also without a daemon. */
import type { Run } from '../../shared/schema/runs/run.ts';
import { isValid } from '../checkpoints/can-resume.ts';
import { loadCheckpoint } from '../checkpoints/load-checkpoint.ts';
import { adoptedRun } from './adopt-checkpoint.ts';
import { runView } from './run-view.ts';

/** As it would be resumed. Throws what `loadCheckpoint` throws. */
export function storedRun(home: string, id: string, nowMs: number): Run {
  const checkpoint = loadCheckpoint(home, id);
  const place = { directory: checkpoint.working_dir, isRepository: false };
  const at = checkpoint.checkpoint_time;
  const { record } = adoptedRun(checkpoint, place, { home, at });
  const around = { worktree: null, place: null, activeMs: 0, hasPendingInput: false };
  return runView(record, { ...around, isValid: isValid(checkpoint), nowMs });
}
