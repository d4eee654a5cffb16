/** Whether a branch can be moved: the worktrees that have it checked out, and what is in them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { oneLine } from '../../../shared/rules/text/plain-text.ts';
import { readRegular } from '../../lib/files/hostile-file.ts';
import { readChanges, type Changes } from '../reading/changes.ts';
import type { Git, GitAt } from '../git/git.ts';
import { errorText } from '../git/git-failed.ts';
import { currentBranch } from '../git/repository.ts';
import { entryDirectory, isLinked, listEntries } from '../git/worktree-entry.ts';

/** `git` is in the worktree that has the branch, clean and ready to follow it; null: none has it. */
export type Hold = { kind: 'ready'; git: GitAt | null } | InUse;
/** The worktree at that path cannot follow the branch; `detail` says why, and what to do. */
export interface InUse {
  kind: 'in_use';
  path: string;
  detail: string;
}

/** What git keeps while an operation waits for a person. */
const UNFINISHED = [
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'rebase-merge',
  'rebase-apply',
];
const REBASES = ['rebase-merge', 'rebase-apply'];
const MAX_NAME_BYTES = 4096;

/** `old` is the current commit of the branch, `commit` the next one. Throws `git_failed`. */
export async function findHold(
  git: Git,
  root: GitAt,
  { branch, old, commit }: { branch: string; old: string; commit: string },
): Promise<Hold> {
  const [path, another] = await holdersOf(root, branch);
  if (path === undefined) return { kind: 'ready', git: null };
  const inUse = (why: string, next: string): InUse => ({
    kind: 'in_use',
    path,
    detail: oneLine(
      `${path} has ${branch} checked out, and ${why}; ${next}, then merge again`,
      1000,
    ),
  });
  if (another !== undefined) return inUse(`so has ${another}`, 'check out another branch in one');
  const inside = await openHolder(git, root, path, branch);
  if (inside === null) {
    return inUse(
      'cannot be brought along, as it is missing or in the middle of a rebase',
      'finish that, or run “git worktree prune” if it was deleted',
    );
  }
  const unfinished = UNFINISHED.find((name) => existsSync(join(inside.place.gitDirectory, name)));
  if (unfinished !== undefined)
    return inUse(`git left ${unfinished} there`, 'finish or abort that');
  const marked = await firstMarked(inside);
  if (marked !== null) {
    return inUse(`git does not check ${marked} there`, 'check out another branch there');
  }
  const changes = await readChanges(inside);
  const fresh = new Set(changes.fresh);
  const dirty = changes.dirty.filter((file) => !fresh.has(file));
  if (dirty.length > 0) {
    const rest = dirty.length > 1 ? ` and ${dirty.length - 1} more` : '';
    return inUse(`${dirty[0]}${rest} changed there`, 'commit or stash that');
  }
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', old, commit];
  const touched = (await inside.run(args, { limit: 'list' })).split('\0');
  const blocking = inTheWay(changes, touched);
  if (blocking !== null) return inUse(`${blocking}, in no commit, is in the way`, 'move it away');
  // Files that were only touched look changed to what follows.
  await inside.attempt(['update-index', '-q', '--refresh'], { limit: 'change' });
  const dryRun = ['read-tree', '--dry-run', '-m', '-u', old, commit];
  const tried = await inside.attempt(dryRun, { limit: 'change' });
  if (!tried.ok) return inUse(`git cannot update it: ${errorText(tried)}`, 'fix this');
  return { kind: 'ready', git: inside };
}

/** Worktrees on the branch, or in the middle of a rebase of it. Throws `git_failed`. */
async function holdersOf(root: GitAt, branch: string): Promise<string[]> {
  const isRebased = (path: string) => {
    const directory = path === root.root ? join(path, '.git') : entryDirectory(root.root, path);
    return REBASES.some(
      (name) =>
        directory !== null &&
        readRegular(join(directory, name, 'head-name'), MAX_NAME_BYTES)?.trim() ===
          `refs/heads/${branch}`,
    );
  };
  return (await listEntries(root))
    .filter((entry) => entry.branch === branch || isRebased(entry.path))
    .map(({ path }) => path);
}

/**
 * Git in the worktree that has the branch; null when it is not a worktree of this repository on it.
 * Throws `git_failed`.
 */
export async function openHolder(
  git: Git,
  root: GitAt,
  path: string,
  branch: string,
): Promise<GitAt | null> {
  const inside = existsSync(path) ? await git.find(path) : null;
  if (inside === null || inside.place.top !== path) return null;
  if (inside.place.commonDirectory !== root.place.commonDirectory) return null;
  const entry = path === root.root ? null : entryDirectory(root.root, path);
  if (path !== root.root && (entry === null || !isLinked(path, entry))) return null;
  return (await currentBranch(inside)) === branch ? inside.seeingAll() : null;
}

/** A file that git was instructed not to check, or not to check out. */
async function firstMarked(inside: GitAt): Promise<string | null> {
  const listing = await inside.run(['ls-files', '-v', '-z'], { limit: 'list' });
  const found = listing.split('\0').find((line) => /^(?:[a-z]|S) /.test(line));
  return found?.slice(2) ?? null;
}

/**
 * A file or directory in no commit that a change of these paths would overwrite; git itself spares
 * only what it does not ignore.
 */
export function inTheWay(
  { fresh, ignored }: Pick<Changes, 'fresh' | 'ignored'>,
  touched: readonly string[],
): string | null {
  const places = new Set(touched.flatMap(withParents));
  const targets = new Set(touched);
  const isHit = (path: string) =>
    places.has(path.replace(/\/$/, '')) || withParents(path).some((each) => targets.has(each));
  return [...fresh, ...ignored].find(isHit) ?? null;
}

/** `a/b/c`: `a`, `a/b` and `a/b/c`. */
function withParents(path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}
