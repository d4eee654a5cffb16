/** Whether a directory is in a linked worktree, by what git keeps in it and never by its path. */
import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { findGitLocation } from './git-location.ts';

const IS_BARE = /^\s*bare\s*=\s*true\b/m;

/**
 * For a directory in a linked worktree the same one in the main worktree, which may not exist there.
 * Null in the main worktree, outside git, and where a repository has no main worktree (it is bare,
 * or its git directory is elsewhere). What `git rev-parse` says of --git-dir and --git-common-dir,
 * without running git in a repository that is not ours. `directory` must be absolute.
 */
export function mainWorktreePath(directory: string): string | null {
  const found = findGitLocation(directory);
  if (found === null || found.gitDirectory === found.commonDirectory) return null;
  const { commonDirectory, top } = found;
  if (basename(commonDirectory) !== '.git' || isBare(commonDirectory)) return null;
  return join(dirname(commonDirectory), relative(top, directory));
}

function isBare(commonDirectory: string): boolean {
  try {
    return IS_BARE.test(readFileSync(join(commonDirectory, 'config'), 'utf8'));
  } catch {
    return false;
  }
}
