import { basename } from 'node:path';
import { messageOf } from '../../lib/app-error.ts';
import { finishMerges } from './advance-branch.ts';
import { removeLeftCheckouts } from '../git/checkouts.ts';
import { removeWorktree } from './remove-worktree.ts';
import { rollBack } from './roll-back.ts';
import type { WorktreeTools } from '../worktree-tools.ts';

/**
 * Finishes what an earlier daemon began. Failures are logged and left for the next start. Throws
 * nothing but storage errors.
 */
export async function recoverWorktrees(tools: WorktreeTools): Promise<void> {
  const { git, store, logger, scratch } = tools;
  const attempt = async (what: string, act: () => Promise<unknown>) =>
    act().catch((error: unknown) =>
      logger.warn({ what, error: messageOf(error) }, 'cannot recover a worktree'),
    );
  const records = store.all();
  for (const record of records) {
    const task = basename(record.path);
    if (record.state === 'creating') await rollBack(tools, record, task);
    else if (record.state === 'removing') {
      await attempt(record.path, async () =>
        removeWorktree(tools, record, { task, branch: 'keep' }),
      );
    }
  }
  for (const repository of new Set(records.map((record) => record.repository))) {
    await attempt(repository, async () => {
      const root = await git.find(repository);
      if (root !== null) await finishMerges(tools, root);
    });
  }
  await attempt(scratch, async () => removeLeftCheckouts(git, scratch));
}
