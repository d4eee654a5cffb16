import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../lib/app-error.ts';
import { keepCommit, unreferenced } from '../git/backup-refs.ts';
import type { GitAt } from '../git/git.ts';
import { type Saved, saveAndRemove } from './save-work.ts';
import { tearDown } from './set-up-worktree.ts';
import { dropStaleLocks } from '../git/worktree-entry.ts';
import { obstacleOf, readFacts, type WorkFacts } from '../reading/work-facts.ts';
import { worktreeEvent } from '../worktree-event.ts';
import type { WorktreeRecord } from '../worktree-store.ts';
import type { WorktreeTools } from '../worktree-tools.ts';

/**
 * `keep`: the branch stays. `keep_unmerged`: it is deleted if the daemon created it, and commits
 * that no other branch has stay under a backup ref.
 */
export type BranchAfter = 'keep' | 'keep_unmerged';

/**
 * Removes one worktree so that nothing in it is lost; returns what was done, in whole sentences.
 * Without its repository there is nothing to save or remove with: the directory stays and only the
 * record is dropped. Throws `worktree_holds_work` with everything as it was, or `git_failed`.
 */
export async function removeWorktree(
  tools: WorktreeTools,
  record: WorktreeRecord,
  { task, branch: after }: { task: string; branch: BranchAfter },
): Promise<string[]> {
  const { git, store, log, scratch, clock } = tools;
  const { path, branch } = record;
  if (isGone(record.repository)) return forget(tools, record, task);
  const root = await git.at(record.repository);
  const inspect = async () => {
    const facts = await readFacts(git, root, record);
    const obstacle = obstacleOf(facts, path);
    if (obstacle === null) return facts;
    throw new AppError('worktree_holds_work', obstacle);
  };
  let facts = await inspect();
  const toreDown = await tearDown(tools, record);
  if (toreDown.length > 0) facts = await inspect();
  dropStaleLocks(record, clock.now());
  // An earlier removal was interrupted: its work is saved, and its files may be half deleted.
  const unfinished = record.state === 'removing' ? 'keep' : 'commit';
  const removing = () => log.write(() => store.setState(record.id, 'removing'));
  let saved: Saved;
  try {
    saved = await saveAndRemove({
      root,
      record,
      facts,
      task,
      unfinished,
      removing,
      scratch,
      clock,
    });
  } catch (error) {
    if (error instanceof AppError && error.code === 'worktree_holds_work') {
      log.write(() => store.setState(record.id, 'ready'));
    }
    throw error;
  }
  if (after === 'keep_unmerged') await removeBranch(tools, root, { record, facts, task }, saved);
  else saved.sentences.push(`Kept the branch ${branch}.`);
  log.write((append) => {
    store.delete(record.id);
    const backup_ref = saved.backups[0] ?? null;
    append(worktreeEvent(record.owner, task, { action: 'removed', path, branch, backup_ref }));
  });
  return [...toreDown, ...saved.sentences];
}

/** Not by asking git, which may find another repository further up. */
function isGone(repository: string): boolean {
  return lstatSync(join(repository, '.git'), { throwIfNoEntry: false }) === undefined;
}

function forget({ store, log }: WorktreeTools, record: WorktreeRecord, task: string): string[] {
  const { path, branch } = record;
  const gone = `The repository ${record.repository} no longer exists`;
  const isLeft = existsSync(path);
  log.write((append) => {
    store.delete(record.id);
    if (isLeft) return;
    const fact = { action: 'removed' as const, path, branch, backup_ref: null };
    append(worktreeEvent(record.owner, task, fact));
  });
  return [
    isLeft
      ? `${gone}: left the files in ${path} as they are.`
      : `${gone}, and its worktree ${path} is gone too.`,
  ];
}

/** Deletes the branch if the daemon created it, once all its commits are held by something else. */
async function removeBranch(
  { clock }: WorktreeTools,
  root: GitAt,
  { record, facts, task }: { record: WorktreeRecord; facts: WorkFacts; task: string },
  saved: Saved,
): Promise<void> {
  const { branch } = record;
  const ref = `refs/heads/${branch}`;
  const tip = await root.ask(['rev-parse', '--verify', '--quiet', ref]);
  const keepReason = reasonToKeep(record, facts);
  if (tip === null) saved.sentences.push(`The branch ${branch} no longer existed.`);
  else if (keepReason !== null) saved.sentences.push(`Kept the branch ${branch}: ${keepReason}.`);
  else {
    const isHeld = (await unreferenced(root, [tip], branch)).length === 0;
    const backup = isHeld ? null : await keepCommit(root, task, tip, clock);
    // Only if it is still at the inspected commit, and never the ref it is another name of.
    await root.run(['update-ref', '--no-deref', '-d', ref, tip], { limit: 'change' });
    if (backup !== null) saved.backups.unshift(backup);
    saved.sentences.push(
      backup === null
        ? `Deleted the branch ${branch}: other branches have all its commits.`
        : `Deleted the branch ${branch}; its commits were saved as ${backup}.`,
    );
  }
}

/** Why the branch is not deleted, or null. */
export function reasonToKeep(
  { ownsBranch }: Pick<WorktreeRecord, 'ownsBranch'>,
  { elsewhere }: Pick<WorkFacts, 'elsewhere'>,
): string | null {
  if (!ownsBranch) return 'it existed before the task';
  return elsewhere === null ? null : `it is checked out in ${elsewhere}`;
}
