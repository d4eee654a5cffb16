import type { GitAt } from './git.ts';

/** Paths in a worktree, relative to it. */
export interface Changes {
  /** Changed, new or deleted since the last commit. */
  dirty: string[];
  /** Of these, the ones git does not follow yet. */
  fresh: string[];
  /** What git ignores; a directory of nothing else is one, and ends in a slash. */
  ignored: string[];
}

export const NO_CHANGES: Changes = { dirty: [], fresh: [], ignored: [] };

/** Takes git in a worktree; gives what differs from its last commit. Throws `git_failed`. */
export async function readChanges(git: GitAt): Promise<Changes> {
  const listing = await git.run(
    [
      'status',
      '--porcelain=v1',
      '-z',
      '--untracked-files=all',
      '--ignored=matching',
      // Looking into submodules would run git by their configuration.
      '--no-renames',
      '--ignore-submodules=dirty',
    ],
    { limit: 'list' },
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
