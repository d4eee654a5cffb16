import { messageOf } from '../lib/app-error.ts';
import { deleteSession } from './delete-session.ts';
import { listCheckpoints } from './list-checkpoints.ts';
import { type CleanupOptions, type CleanupStep, planCleanup } from './plan-cleanup.ts';
import { isLocked } from './session-lock.ts';

export interface Cleanup {
  /** With `dryRun`: what would be removed. */
  removed: CleanupStep[];
  /** Could not be removed. */
  failed: { id: string; message: string }[];
}

/**
 * Removes the chosen sessions. One that fails stops none of the others. Throws an AppError when the
 * sessions cannot be listed.
 */
export async function cleanUp(
  home: string,
  options: CleanupOptions & { dryRun?: boolean },
  nowMs: number,
): Promise<Cleanup> {
  const list = await listCheckpoints(home, nowMs);
  const chosen = planCleanup(list, options, nowMs, new Set());
  const locked = new Set(chosen.map(({ id }) => id).filter((id) => isLocked(home, id)));
  const steps = planCleanup(list, options, nowMs, locked);
  if (options.dryRun === true) return { removed: steps, failed: [] };
  const removed: CleanupStep[] = [];
  const failed: Cleanup['failed'] = [];
  for (const step of steps) {
    try {
      deleteSession(home, step.id);
      removed.push(step);
    } catch (error) {
      failed.push({ id: step.id, message: messageOf(error) });
    }
  }
  return { removed, failed };
}
