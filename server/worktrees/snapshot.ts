import { basename } from 'node:path';
import { AppError } from '../lib/app-error.ts';
import { dropStaleLocks } from './stale-locks.ts';
import { commitTree, withStanding } from './standing.ts';
import { openInside } from './work-facts.ts';
import type { WorktreeRecord } from './worktree-store.ts';
import type { WorktreeTools } from './worktree-tools.ts';

export interface Snapshot {
  commit: string;
  /** It holds what was in no commit. */
  dirty: boolean;
}

/**
 * Takes the row of a worktree; gives a commit of exactly what stands there, and keeps it under
 * `refs/loopwatch/verified/<name>`. Throws `no_worktree` or `git_failed`.
 */
export async function takeSnapshot(
  { git, scratch, clock }: WorktreeTools,
  record: WorktreeRecord,
): Promise<Snapshot> {
  const { path } = record;
  const inside = await openInside(git, record);
  if (inside === null) {
    const next = 'look what is there, and run the task to make it again';
    throw new AppError('no_worktree', `${path} is no worktree any more; ${next}`);
  }
  return withStanding(inside, { scratch }, async ({ head, tree, dirty }) => {
    const parents = head === null ? [] : [head];
    const words = `What stood in ${basename(path)}`;
    const commit =
      head === null || dirty ? await commitTree(inside, tree, parents, words, clock) : head;
    dropStaleLocks(record, clock.now());
    const ref = `refs/loopwatch/verified/${basename(path)}`;
    await inside.run(['update-ref', ref, commit], { limit: 'change' });
    return { commit, dirty };
  });
}
