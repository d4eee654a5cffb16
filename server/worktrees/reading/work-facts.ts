/** The facts about one worktree, seen from outside: the base of what is reported and done. */
import { AppError } from '../../lib/app-error.ts';
import { commitOf } from '../git/branch-name.ts';
import { nestedRepositories, NO_CHANGES, readChanges } from './changes.ts';
import type { Git, GitAt } from '../git/git.ts';
import {
  entryDirectory,
  isLinked,
  isOwnDirectory,
  isThere,
  listEntries,
  relink,
} from '../git/worktree-entry.ts';
import type { WorktreeRecord } from '../worktree-store.ts';

export interface WorkFacts {
  /** Something is at its path. */
  exists: boolean;
  /** Where git keeps its data about it; null when git knows nothing. */
  entry: string | null;
  /** Git inside it; null when it is missing, or no longer a worktree. */
  inside: GitAt | null;
  /**
   * Why it is locked. Null when it is not, or only by a git that was killed while it created it.
   */
  locked: string | null;
  /** Its current commit; null when unknown. */
  head: string | null;
  /** The branch it is on, if any. */
  headBranch: string | null;
  dirty: string[];
  ignored: string[];
  nested: string[];
  /** The current commit of its branch; null when there is no such branch. */
  tip: string | null;
  /** Another worktree that has this branch. */
  elsewhere: string | null;
}

/** Git's lock reason while it creates a worktree. */
const CREATION_LOCK = 'initializing';

/** Throws `git_failed`. */
export async function readFacts(git: Git, root: GitAt, record: WorktreeRecord): Promise<WorkFacts> {
  const { path, branch, repository } = record;
  const inside = await openInside(git, record);
  const entries = await listEntries(root);
  const own = entries.find((other) => other.path === path);
  const changes = inside === null ? NO_CHANGES : await readChanges(inside);
  return {
    exists: isThere(path),
    entry: entryDirectory(repository, path),
    inside,
    locked: own === undefined || own.locked === CREATION_LOCK ? null : own.locked,
    head: own?.head ?? null,
    headBranch: own?.branch ?? null,
    dirty: changes.dirty,
    ignored: changes.ignored,
    nested: inside === null ? [] : await nestedRepositories(inside, changes),
    tip: await commitOf(root, `refs/heads/${branch}`),
    elsewhere:
      entries.find((other) => other.path !== path && other.branch === branch)?.path ?? null,
  };
}

/**
 * Git inside a worktree, or null when it is missing or no longer a worktree: git would then work in
 * the repository around it. A missing link to git is written again.
 */
export async function openInside(git: Git, record: WorktreeRecord): Promise<GitAt | null> {
  const { path, repository } = record;
  const entry = entryDirectory(repository, path);
  if (entry === null || !isOwnDirectory(path)) return null;
  relink(path, entry);
  return isLinked(path, entry) ? (await git.at(path)).seeingAll() : null;
}

/** Git inside a worktree. Throws `no_worktree` or `git_failed`. */
export async function requireInside(git: Git, record: WorktreeRecord): Promise<GitAt> {
  const inside = await openInside(git, record);
  if (inside !== null) return inside;
  const next = 'check its contents, then run the task to create it again';
  throw new AppError('no_worktree', `${record.path} is no longer a worktree; ${next}`);
}

/** What forbids a removal, with what to do; null when nothing does. */
export function obstacleOf(facts: WorkFacts, path: string): string | null {
  if (facts.locked !== null) {
    const why = facts.locked === '' ? '' : ` (${facts.locked})`;
    return `${path} is locked${why}; unlock it with “git worktree unlock ${path}”`;
  }
  if (facts.exists && facts.inside === null) {
    return `${path} is no longer a worktree known to git; check its contents and move it away`;
  }
  if (facts.nested.length > 0) {
    const names = facts.nested.slice(0, 5).join(', ');
    return `${path} contains nested repositories (${names}) that a commit here cannot save; move them away`;
  }
  return null;
}
