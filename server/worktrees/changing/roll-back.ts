import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../lib/app-error.ts';
import type { GitAt } from '../git/git.ts';
import { saveAndRemove } from './save-work.ts';
import { obstacleOf, readFacts } from '../reading/work-facts.ts';
import {
  dropStaleLocks,
  entryDirectory,
  isLinked,
  isOwnDirectory,
  isThere,
} from '../git/worktree-entry.ts';
import { worktreeEvent } from '../worktree-event.ts';
import type { WorktreeRecord } from '../worktree-store.ts';
import type { WorktreeTools } from '../worktree-tools.ts';

/**
 * Removes what exists of a worktree whose creation was not completed, and its branch where that is
 * new and still where it began. Anything not ours stays and is logged. When git fails, the row
 * stays too, for the next attempt. Throws nothing but storage errors.
 */
export async function rollBack(
  tools: WorktreeTools,
  record: WorktreeRecord,
  task: string,
): Promise<void> {
  const { log, store, logger } = tools;
  const { path, branch } = record;
  let backups: string[];
  try {
    backups = await removeRemains(tools, record, task);
  } catch (error) {
    logger.warn({ path, branch, error: messageOf(error) }, 'cannot remove a partial worktree yet');
    return;
  }
  log.write((append) => {
    store.delete(record.id);
    const backup_ref = backups[0] ?? null;
    const fact = { action: 'rolled_back' as const, path, branch, backup_ref };
    append(worktreeEvent(record.owner, task, fact));
  });
}

async function removeRemains(
  { git, scratch, clock, logger }: WorktreeTools,
  record: WorktreeRecord,
  task: string,
): Promise<string[]> {
  const { path, branch, repository, baseCommit } = record;
  const root = await git.at(repository);
  dropStaleLocks(record, clock.now());
  await removeEmpty(root, repository, path);
  const facts = await readFacts(git, root, record);
  const obstacle = facts.exists || facts.entry !== null ? obstacleOf(facts, path) : null;
  if (obstacle !== null) {
    logger.warn({ path, branch, obstacle }, 'cannot remove the remains of a worktree');
    return [];
  }
  const keepOnly = { unfinished: 'keep' as const, removing: () => undefined };
  const { backups } = await saveAndRemove({
    root,
    record,
    facts,
    task,
    scratch,
    clock,
    ...keepOnly,
  });
  if (record.ownsBranch && facts.tip === baseCommit && facts.elsewhere === null) {
    const args = ['update-ref', '--no-deref', '-d', `refs/heads/${branch}`, baseCommit];
    // A lock of git's that is still fresh holds the branch, and with it the row, until the next attempt.
    await root.run(args, { limit: 'change' });
  }
  return backups;
}

/**
 * Git was stopped before it wrote a file: it cannot work there yet, and there is nothing to save.
 */
async function removeEmpty(root: GitAt, repository: string, path: string): Promise<void> {
  if (isThere(path) && !isOwnDirectory(path)) return;
  const entry = entryDirectory(repository, path);
  const names = existsSync(path) ? readdirSync(path) : [];
  const hasLink = names.length === 1 && entry !== null && isLinked(path, entry);
  if (names.length > 0 && !hasLink) return;
  if (hasLink) rmSync(join(path, '.git'));
  if (existsSync(path)) rmdirSync(path);
  if (entry === null) return;
  await root.attempt(['worktree', 'unlock', path], { limit: 'change' });
  const removed = await root.attempt(['worktree', 'remove', path], { limit: 'change' });
  // Git does not list an entry it had not finished; it is ours, by the path in it.
  if (!removed.ok) rmSync(entry, { recursive: true, force: true });
}
