/**
 * Files and folders of a project that git ignores, in a worktree or a checkout of it. None of them
 * may end up in a commit, and nothing outside the two is read or written.
 */
import {
  closeSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { withUserUmask } from '../../lib/files/user-umask.ts';
import type { ProjectSetup } from '../../../shared/schema/tasks/project-setup.ts';
import { addMissingLines } from '../../lib/files/add-lines.ts';
import { AppError } from '../../lib/app-error.ts';
import { openHostileFile } from '../../lib/files/hostile-file.ts';
import { isBelow, realDirectory } from '../../lib/files/real-directory.ts';
import type { GitAt } from './git.ts';

/** A configuration, not data. */
const MAX_FILE_BYTES = 20 * 1024 * 1024;

/**
 * Copies the files and links the folders that are missing in `git`’s worktree. Throws
 * `worktree_failed` with what to do, or `git_failed`.
 */
export async function addIgnored(
  git: GitAt,
  { project, copy, share }: Pick<ProjectSetup, 'project' | 'copy' | 'share'>,
): Promise<void> {
  for (const path of copy) {
    if (!(await isIgnored(git, path))) {
      const next = 'add it to .gitignore, or take it out of the setup';
      throw failed(`${path} is not ignored by git, so it would be committed; ${next}`);
    }
    copyIn(project, path, git.directory);
  }
  for (const path of share) {
    const isLinked = linkIn(project, path, git.directory);
    // “node_modules/” ignores a folder, but not a link.
    if (isLinked && !(await isIgnored(git, path))) exclude(git, path);
  }
}

/** Throws `worktree_failed` for what is missing, of another kind, or leads out of the project. */
function copyIn(project: string, path: string, worktree: string): void {
  const from = join(project, path);
  const opened = isInside(project, path) ? openHostileFile(from) : 'not_a_file';
  if (opened === 'absent') throw missing(project, path);
  if (typeof opened === 'string') throw unfit(project, path, 'a regular file of this user');
  const { file, stat } = opened;
  try {
    if (stat.size > MAX_FILE_BYTES) throw unfit(project, path, 'below 20 MiB');
    const bytes = readFileSync(file);
    if (makeRoom(worktree, path)) {
      const mode = stat.mode & 0o777;
      withUserUmask(() => writeFileSync(join(worktree, path), bytes, { flag: 'wx', mode }));
    }
  } finally {
    closeSync(file);
  }
}

/** True when the link is there now: what else is there stays. Throws `worktree_failed`. */
function linkIn(project: string, path: string, worktree: string): boolean {
  const from = join(project, path);
  const stat = lstatSync(from, { throwIfNoEntry: false });
  if (stat === undefined) throw missing(project, path);
  if (!stat.isDirectory() || !isInside(project, path)) throw unfit(project, path, 'a folder');
  const link = join(worktree, path);
  if (makeRoom(worktree, path)) symlinkSync(from, link);
  return lstatSync(link).isSymbolicLink() && readlinkSync(link) === from;
}

/**
 * Creates the folders on the way to a path. False when something is there already. Throws
 * `worktree_failed` when the way leads out of the worktree.
 */
function makeRoom(worktree: string, path: string): boolean {
  const above = path.split('/').slice(0, -1);
  for (const [index] of above.entries()) {
    const folder = join(worktree, ...above.slice(0, index + 1));
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (stat === undefined) withUserUmask(() => mkdirSync(folder));
    else if (!stat.isDirectory()) {
      throw failed(`${folder} is not a folder; take ${path} out of the setup`);
    }
  }
  return lstatSync(join(worktree, path), { throwIfNoEntry: false }) === undefined;
}

/** No folder on the way to it is a link that leads out. */
function isInside(root: string, path: string): boolean {
  const folder = realDirectory(dirname(join(root, path)));
  return folder !== null && isBelow(folder.path, [root]);
}

function missing(project: string, path: string): AppError {
  return failed(`${join(project, path)} does not exist; create it, or take it out of the setup`);
}

function unfit(project: string, path: string, wanted: string): AppError {
  const next = 'replace it, or take it out of the setup';
  return failed(`${join(project, path)} is not ${wanted}; ${next}`);
}

async function isIgnored(git: GitAt, path: string): Promise<boolean> {
  return (await git.ask(['check-ignore', '--no-index', '--', path])) !== null;
}

/** In the file that belongs only to this copy of the repository. */
function exclude(git: GitAt, path: string): void {
  const list = join(git.root, '.git', 'info', 'exclude');
  if (addMissingLines(list, [`/${path}`])) return;
  throw failed(`${list} is not a file, or is larger than 1 MiB; replace it, then try again`);
}

function failed(message: string): AppError {
  return new AppError('worktree_failed', message);
}
