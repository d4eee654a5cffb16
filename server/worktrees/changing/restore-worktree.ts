import { AppError } from '../../lib/app-error.ts';
import { addWorktree, requireFreePath } from './create-worktree.ts';
import { saveAndRemove } from './save-work.ts';
import { dropStaleLocks } from '../git/worktree-entry.ts';
import { obstacleOf, readFacts } from '../reading/work-facts.ts';
import type { WorktreeRecord } from '../worktree-store.ts';
import type { WorktreeTools } from '../worktree-tools.ts';

/**
 * Creates the directory of a worktree again on its branch where it is missing, and returns the row.
 * An existing one is left as it is, on any branch. A branch that the daemon created and a
 * person deleted begins again at its base. Throws `branch_missing`, `worktree_failed` or
 * `git_failed`.
 */
export async function restoreWorktree(
  { git, store, log, clock, scratch }: WorktreeTools,
  record: WorktreeRecord,
  task: string,
): Promise<WorktreeRecord> {
  const { path, branch, baseCommit } = record;
  const root = await git.at(record.repository);
  dropStaleLocks(record, clock.now());
  const facts = await readFacts(git, root, record);
  // Half of it is deleted, and its work is saved: that removal is finished first.
  const isHalf = record.state === 'removing' && obstacleOf(facts, path) === null;
  if (facts.inside !== null && !isHalf) return ready();
  if (facts.exists && facts.inside === null) {
    const next = 'check its contents, move it away, then try again';
    throw new AppError('worktree_failed', `${path} is no longer a worktree; ${next}`);
  }
  if (facts.elsewhere !== null) {
    const next = 'check out another branch there, then try again';
    throw new AppError('branch_in_use', `${branch} is checked out in ${facts.elsewhere}; ${next}`);
  }
  if (facts.tip === null && !record.ownsBranch) {
    const next = 'create it again, or delete the task';
    throw new AppError('branch_missing', `the branch ${branch} no longer exists; ${next}`);
  }
  if (facts.locked !== null) {
    const next = `unlock it with “git worktree unlock ${path}”`;
    throw new AppError('worktree_failed', `git has locked ${path}; ${next}`);
  }
  const keepOnly = { unfinished: 'keep' as const, removing: () => undefined };
  await saveAndRemove({ root, record, facts, task, scratch, clock, ...keepOnly });
  requireFreePath(path);
  log.write(() => store.setSetUpAt(record.id, null));
  await addWorktree(git, root, record, { exists: facts.tip !== null, baseCommit });
  return ready();

  function ready(): WorktreeRecord {
    if (record.state !== 'ready') log.write(() => store.setState(record.id, 'ready'));
    return { ...record, state: 'ready' };
  }
}
