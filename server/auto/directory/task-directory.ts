/** Which directories a loop may be started on. */
import { isAbsolute } from 'node:path';
import { AppError } from '../../lib/app-error.ts';
import { mainWorktreePath } from '../../worktrees/git/main-worktree.ts';
import { isBelow, type RealDirectory, realDirectory } from '../../lib/files/real-directory.ts';

/** Inert between double quotes in sh, bash, zsh and fish: the path is typed into one of them. */
const SAFE_PATH = /^[\p{L}\p{N} _./@+,:=~%-]+$/u;

/** Resolves links. Throws `unsafe_task_dir`, `task_dir_missing` or `outside_roots`. */
export function resolveTaskDirectory(path: string, roots: readonly string[] | null): RealDirectory {
  if (!isAbsolute(path) || !SAFE_PATH.test(path)) throw unsafe(path);
  const directory = realDirectory(path);
  if (directory === null) {
    throw new AppError('task_dir_missing', `${path} is not a directory; create it first`);
  }
  if (!SAFE_PATH.test(directory.path)) throw unsafe(directory.path);
  const main = mainWorktreePath(directory.path);
  if (main !== null) {
    const next = `signals are read in the main one; use ${main}`;
    const details = { main_task_dir: main };
    throw new AppError('unsafe_task_dir', `${path} is in a linked worktree; ${next}`, details);
  }
  if (roots !== null && !isBelow(directory.path, roots)) {
    throw new AppError('outside_roots', `${path} is outside the roots ${roots.join(', ')}`);
  }
  return directory;
}

/** For a path without links: whether it may be typed, and its signals are its own. */
export function isStartable(path: string): boolean {
  return SAFE_PATH.test(path) && mainWorktreePath(path) === null;
}

function unsafe(path: string): AppError {
  return new AppError(
    'unsafe_task_dir',
    isAbsolute(path)
      ? 'the task directory may contain only letters, digits, spaces and _./@+,:=~%- because it is typed into a shell'
      : 'the task directory must be an absolute path',
  );
}
