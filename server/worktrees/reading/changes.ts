/**
 * Differences of a worktree from its last commit, and content that none of its commits could hold.
 */
import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { GitAt } from '../git/git.ts';

/** Paths in a worktree, relative to it. */
export interface Changes {
  /** Changed, new or deleted since the last commit. */
  dirty: string[];
  /** Of these, the untracked ones. */
  fresh: string[];
  /** Ignored by git; a directory of only ignored files is one entry, and ends in a slash. */
  ignored: string[];
}

export const NO_CHANGES: Changes = { dirty: [], fresh: [], ignored: [] };

/** A submodule, as a mode in the index. */
const GITLINK = '160000 ';

/** Throws `git_failed`. */
export async function readChanges(git: GitAt): Promise<Changes> {
  const listing = await git.run(
    [
      'status',
      '--porcelain=v1',
      '-z',
      '--untracked-files=all',
      '--ignored=matching',
      // Reading submodules would run git by their configuration.
      '--no-renames',
      '--ignore-submodules=dirty',
    ],
    { limit: 'content' },
  );
  const changes: Changes = { dirty: [], fresh: [], ignored: [] };
  for (const line of listing.split('\0')) {
    const path = line.slice(3);
    if (line.startsWith('!! ')) changes.ignored.push(path);
    else if (path !== '') changes.dirty.push(path);
    if (line.startsWith('?? ')) changes.fresh.push(path);
  }
  return changes;
}

/**
 * Directories in the worktree, relative to it, that are their own repositories: a commit of the
 * worktree could hold none of their content. Throws `git_failed`.
 */
export async function nestedRepositories(
  git: GitAt,
  { fresh, ignored }: Changes,
): Promise<string[]> {
  const staged = await git.run(['ls-files', '--stage', '-z'], { limit: 'list' });
  const links = staged
    .split('\0')
    .filter((line) => line.startsWith(GITLINK))
    .map((line) => line.slice(line.indexOf('\t') + 1));
  const has = (path: string) => existsSync(join(git.directory, path, '.git'));
  return [
    // New files are listed one by one: a directory is listed only where git does not look inside.
    ...fresh.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1)),
    ...links.filter(has),
    ...ignored.filter((path) => path.endsWith('/')).flatMap((path) => hidden(git, path, has)),
  ];
}

/**
 * Empty when it cannot be read: it may be removed by now, and what git cannot read it does not
 * delete.
 */
function listed(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** An ignored directory itself, and those directly in it. */
function hidden(git: GitAt, path: string, has: (path: string) => boolean): string[] {
  const inside = listed(join(git.directory, path))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${path}${name}`);
  return [path.slice(0, -1), ...inside].filter(has);
}
