import { join } from 'node:path';
import { addMissingLines } from '../lib/add-lines.ts';
import { AppError } from '../lib/app-error.ts';

/** Where worktrees are in a repository; the second is a common place of other tools. */
export const WORKTREES_DIRECTORY = '.claude_worktrees';

const LINES = [`/${WORKTREES_DIRECTORY}/`, '/.worktrees/'];

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
