import { AppError } from '../../lib/app-error.ts';
import type { MergeResult } from '../changing/merge-work.ts';

/**
 * The commit of a merge into that branch. Throws `merge_conflict`, `merge_refused` and
 * `branch_in_use`; the branch has then not moved. `owner` is whose work it is: "run" or "task".
 */
export function landedCommit(
  merged: MergeResult,
  { into, owner }: { into: string; owner: 'run' | 'task' },
): string {
  switch (merged.kind) {
    case 'merged':
      return merged.commit;
    case 'nothing':
      throw new AppError('merge_refused', `${into} already has all of it; nothing to merge`);
    case 'conflicts': {
      const { files } = merged;
      const next = `resolve them on its branch, or send the ${owner} that instruction`;
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
