import { lstatSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { withUserUmask } from '../../lib/files/user-umask.ts';
import { AppError, messageOf } from '../../lib/app-error.ts';
import { toIso } from '../../lib/clock.ts';
import { randomId } from '../../lib/random-id.ts';
import { branchOf, type ChosenBranch, chooseBranch } from '../git/branch-name.ts';
import type { GitAt } from '../git/git.ts';
import { currentBranch, type Repository } from '../git/repository.ts';
import { rollBack } from './roll-back.ts';
import { readFacts } from '../reading/work-facts.ts';
import {
  dropStaleLocks,
  entryDirectory,
  isThere,
  listEntries,
  relink,
} from '../git/worktree-entry.ts';
import { saveAndRemove } from './save-work.ts';
import { worktreeEvent } from '../worktree-event.ts';
import type { WorktreeRecord } from '../worktree-store.ts';
import type { WorktreeTools } from '../worktree-tools.ts';
import { addMissingLines } from '../../lib/files/add-lines.ts';

/** A worktree to be created. */
export interface WorktreeRequest {
  /** A directory in a git repository, absolute. */
  repository: string;
  /** A TaskName; becomes the directory. */
  name: string;
  /** Null: `task/<name>`. */
  branch: string | null;
  /** Null: the branch of that name at `origin`, or where the repository is. */
  base: string | null;
}

/** Where worktrees are in a repository; the second is a common place of other tools. */
const WORKTREES_DIRECTORY = '.claude_worktrees';
const LINES = [`/${WORKTREES_DIRECTORY}/`, '/.worktrees/'];

/** Where the worktree of that name belongs. */
export function pathOf(root: string, name: string): string {
  return join(root, WORKTREES_DIRECTORY, name);
}

/**
 * Creates one worktree: its row first, then the directory and the branch. Everything is rolled back
 * when git fails. Throws `branch_in_use`, `branch_missing`, `invalid_body`, `worktree_failed`,
 * `worktree_holds_work` or `git_failed`.
 */
export async function createWorktree(
  tools: WorktreeTools,
  { root, here }: Repository,
  { owner, task, request }: { owner: string; task: string; request: WorktreeRequest },
): Promise<WorktreeRecord> {
  const { git, store, log, clock } = tools;
  const path = pathOf(root, request.name);
  const main = await git.at(root);
  const chosen = await chooseBranch(here, branchOf(request), request.base);
  await refuseTaken(tools, root, path, chosen.branch);
  requireFreePath(path);
  const record: WorktreeRecord = {
    id: randomId(),
    owner,
    repository: root,
    path,
    branch: chosen.branch,
    base: chosen.base,
    baseCommit: chosen.baseCommit,
    ownsBranch: !chosen.exists,
    state: 'creating',
    createdAt: toIso(clock.now()),
    setUpAt: null,
  };
  await forgetRemains(tools, main, record, task);
  await refuseCheckedOut(main, chosen.branch);
  dropStaleLocks(record, clock.now());
  tryToExclude(tools, root);
  log.write(() => store.insert(record));
  try {
    await addWorktree(git, main, record, chosen);
  } catch (error) {
    await rollBack(tools, record, task);
    throw error;
  }
  log.write((append) => {
    store.setState(record.id, 'ready');
    const { branch } = record;
    append(worktreeEvent(owner, task, { action: 'created', path, branch, backup_ref: null }));
  });
  return { ...record, state: 'ready' };
}

/**
 * Has git create the directory of a row, with its branch if that is new. Throws `worktree_failed`
 * with git's message.
 */
export async function addWorktree(
  git: WorktreeTools['git'],
  main: GitAt,
  { path, branch }: Pick<WorktreeRecord, 'path' | 'branch'>,
  chosen: Pick<ChosenBranch, 'exists' | 'baseCommit'>,
): Promise<void> {
  const what = chosen.exists
    ? ['--', path, branch]
    : ['--no-track', '-b', branch, '--', path, chosen.baseCommit];
  try {
    withUserUmask(() => mkdirSync(dirname(path), { recursive: true }));
    await main.run(['worktree', 'add', ...what], { limit: 'change' });
    relink(path, entryDirectory(main.root, path) ?? '');
    const now = await currentBranch(await git.at(path));
    if (now !== branch) throw new Error(`git created ${path} on ${now ?? 'no branch'}; try again`);
  } catch (error) {
    throw new AppError('worktree_failed', messageOf(error));
  }
}

/** A repository that shows its worktrees as new files is a nuisance, no more. */
function tryToExclude({ logger }: WorktreeTools, root: string): void {
  try {
    excludeWorktrees(root);
  } catch (error) {
    logger.warn({ root, error: messageOf(error) }, 'cannot exclude the worktrees from git');
  }
}

async function refuseTaken(
  tools: WorktreeTools,
  root: string,
  path: string,
  branch: string,
): Promise<void> {
  const find = () => tools.store.onBranch(root, branch) ?? tools.store.atPath(path);
  const half = find();
  // Nothing else works in this repository now, so it is left over from an attempt that could not be
  // rolled back.
  if (half?.state === 'creating') await rollBack(tools, half, basename(half.path));
  const taken = find();
  if (taken === null) return;
  const what = taken.branch === branch ? `the branch ${branch}` : `the directory ${path}`;
  const next = 'choose another name or branch, or remove that worktree first';
  throw new AppError('branch_in_use', `${what} belongs to the worktree ${taken.path}; ${next}`);
}

/**
 * Throws `worktree_failed` when something exists at the path, or the directory of worktrees is not
 * a directory.
 */
export function requireFreePath(path: string): void {
  const place = dirname(path);
  const stat = lstatSync(place, { throwIfNoEntry: false });
  if (stat !== undefined && !stat.isDirectory()) {
    throw new AppError(
      'worktree_failed',
      `${place} is not a directory; move it away, then try again`,
    );
  }
  if (!isThere(path)) return;
  const next = 'check what it is, move it away, then try again';
  throw new AppError(
    'worktree_failed',
    `${path} already exists and was not created by Loopwatch; ${next}`,
  );
}

/** A worktree was at this path, its directory is missing, and git still lists it. */
async function forgetRemains(
  { git, clock, scratch }: WorktreeTools,
  root: GitAt,
  record: WorktreeRecord,
  task: string,
): Promise<void> {
  const facts = await readFacts(git, root, record);
  if (facts.entry === null) return;
  if (facts.locked !== null) {
    const next = `unlock it with “git worktree unlock ${record.path}”`;
    throw new AppError('worktree_failed', `git has locked ${record.path}; ${next}`);
  }
  const keepOnly = { unfinished: 'keep' as const, removing: () => undefined };
  await saveAndRemove({ root, record, facts, task, scratch, clock, ...keepOnly });
}

async function refuseCheckedOut(main: GitAt, branch: string): Promise<void> {
  const holder = (await listEntries(main)).find((entry) => entry.branch === branch);
  if (holder === undefined) return;
  throw new AppError(
    'branch_in_use',
    `the branch ${branch} is checked out in ${holder.path}; choose another branch, or check out another one there`,
  );
}

/**
 * Makes git ignore the worktrees in the main worktree `root`, through the file that belongs only to
 * this copy of the repository. Adds each line once. A link is not followed. Throws
 * `worktree_failed` or the system's error.
 */
export function excludeWorktrees(root: string): void {
  const path = join(root, '.git', 'info', 'exclude');
  const isThere = (line: string, others: readonly string[]) =>
    others.includes(line) || others.includes(line.slice(1));
  if (addMissingLines(path, LINES, isThere)) return;
  const next = 'replace it with a file, then try again';
  throw new AppError('worktree_failed', `${path} is not a file, or is larger than 1 MiB; ${next}`);
}
