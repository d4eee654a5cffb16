/** Commits the content of a worktree to its branch, while an agent may still be at work there. */
import {
  constants,
  copyFileSync,
  existsSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { AppError, messageOf } from '../../lib/app-error.ts';
import { markOf } from '../../lib/files/hostile-file.ts';
import { keepCommit } from '../git/backup-refs.ts';
import type { GitAt } from '../git/git.ts';
import { currentBranch } from '../git/repository.ts';
import { requireInside } from '../reading/work-facts.ts';
import {
  committerOf,
  commitTree,
  indexOf,
  withContent,
  type WorktreeContent,
} from '../reading/worktree-content.ts';
import { dropStaleLocks } from '../git/worktree-entry.ts';
import type { WorktreeRecord } from '../worktree-store.ts';
import type { WorktreeTools } from '../worktree-tools.ts';

/**
 * The commit that holds exactly the current content: the last one when nothing is dirty. What was
 * staged and changed again is kept under a backup ref. Killed after the branch moved, the next call
 * brings the index along. Throws `branch_missing`, `no_worktree`, `worktree_failed` or
 * `git_failed`.
 */
export async function commitWork(
  { git, scratch, clock }: WorktreeTools,
  record: WorktreeRecord,
  message: string,
): Promise<string> {
  const inside = await requireInside(git, record);
  dropStaleLocks(record, clock.now());
  await requireReady(inside, record);
  const index = await indexOf(inside);
  const before = markOf(index);
  return withContent(inside, { scratch }, async (content) => {
    const { head, tree, dirty, staged } = content;
    if (head === null) {
      const next = 'create it again, or delete the task';
      const { branch } = record;
      throw new AppError('branch_missing', `the branch ${branch} no longer exists; ${next}`);
    }
    if (!dirty && staged === null) return head;
    const committer = await committerOf(inside);
    const commit = dirty ? await commitTree(inside, tree, [head], message, clock, committer) : head;
    if (staged !== null && (await holdsMore(inside, content))) {
      const kept = await commitTree(inside, staged, [head], 'Staged work', clock);
      await keepCommit(inside, basename(record.path), kept, clock);
    }
    await withIndexLock(index, before, content.index, async () => {
      if (!dirty) return;
      const args = ['update-ref', '-m', 'commit by Loopwatch', `refs/heads/${record.branch}`];
      await inside.run([...args, commit, head], { limit: 'change' });
    });
    return commit;
  });
}

/** Throws `worktree_failed` where a commit would belong elsewhere, or hold half a merge. */
async function requireReady(inside: GitAt, { path, branch }: WorktreeRecord): Promise<void> {
  const now = await currentBranch(inside);
  if (now !== branch) {
    const next = `check out ${branch} there, then try again`;
    throw new AppError('worktree_failed', `${path} is on ${now ?? 'no branch'}; ${next}`);
  }
  const isMerging = existsSync(join(inside.place.gitDirectory, 'MERGE_HEAD'));
  const unmerged = await inside.run(['ls-files', '--unmerged', '-z'], { limit: 'list' });
  if (!isMerging && unmerged === '') return;
  const next = 'finish it or run “git merge --abort” there, then try again';
  throw new AppError('worktree_failed', `a merge in ${path} is not finished; ${next}`);
}

/** Whether a staged file is neither committed, now or before, nor what is in the worktree. */
async function holdsMore(git: GitAt, { head, tree, staged }: WorktreeContent): Promise<boolean> {
  if (staged === null) return false;
  // The index did not follow the last commit: git was killed.
  const before = await git.ask(['rev-parse', '--verify', '--quiet', `${head}^1^{tree}`]);
  if (staged === before) return false;
  const differ = async (from: string) => {
    const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--diff-filter=d'];
    return (await git.run([...args, from, staged], { limit: 'list' })).split('\0');
  };
  const later = new Set(await differ(tree));
  return (await differ(`${head}^{tree}`)).some((path) => path !== '' && later.has(path));
}

/** Replaces the index as git does, unless it has changed since `before`. Throws `git_failed`. */
async function withIndexLock(
  index: string,
  before: string | null,
  next: string,
  act: () => Promise<void>,
): Promise<void> {
  const lock = `${index}.lock`;
  try {
    copyFileSync(next, lock, constants.COPYFILE_EXCL);
  } catch (error) {
    throw new AppError('git_failed', `cannot lock ${index}: ${messageOf(error)}; ${AGAIN}`);
  }
  try {
    // Git trusts that a file is unchanged when it is older than the index; a copy is too young.
    const changedAt = Math.floor(statSync(next).mtimeMs / 1000) - 1;
    utimesSync(lock, changedAt, changedAt);
    if (markOf(index) !== before) {
      throw new AppError('git_failed', `${index} changed in the meantime; ${AGAIN}`);
    }
    await act();
    renameSync(lock, index);
  } catch (error) {
    rmSync(lock, { force: true });
    throw error;
  }
}

const AGAIN = 'wait until no other git works there, then try again';
