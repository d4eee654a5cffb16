/** Which loops stand in the way of a start. Pure. */
import { AppError } from '../lib/app-error.ts';
import type { RealDirectory } from '../lib/real-directory.ts';
import type { LoopState } from './machine/loop-state.ts';

/** Throws `session_busy` or `task_dir_busy` for a loop that has not failed. */
export function requireFree(
  loops: readonly LoopState[],
  sessionName: string,
  directory: RealDirectory,
): void {
  for (const { sessionName: other, taskDir: task_dir, dirIdentity, status } of loops) {
    if (status === 'failed') continue;
    const details = { session_name: other, task_dir };
    if (other === sessionName) {
      throw new AppError('session_busy', `session ${other} already runs a loop`, details);
    }
    if (task_dir === directory.path || dirIdentity === directory.identity) {
      throw new AppError('task_dir_busy', `session ${other} already works on it`, details);
    }
  }
}

/** Sessions whose failed loop the wanted one replaces. */
export function failedConflicts(loops: readonly LoopState[], wanted: LoopState): string[] {
  return loops
    .filter(({ status }) => status === 'failed')
    .filter(
      ({ sessionName, taskDir, dirIdentity }) =>
        sessionName === wanted.sessionName ||
        taskDir === wanted.taskDir ||
        dirIdentity === wanted.dirIdentity,
    )
    .map(({ sessionName }) => sessionName);
}
