/**
 * The repository a directory is in and its branch, read as data: git is never run there, because
 * its configuration could run programs.
 */
import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';

export interface Project {
  root: string;
  /** Null outside of a repository, and without one checked out. */
  branch: string | null;
}

const MAX_DEPTH = 64;
const MAX_BYTES = 4096;
/** A name that git would not refuse; it is shown. */
const BRANCH = /^ref: refs\/heads\/([^\p{C}\s~^:?*[\\]{1,250})\n?$/u;
const ELSEWHERE = /^gitdir: ([^\p{C}]+)\n?$/u;

/** A directory that cannot be read is its own root. */
export async function readProject(cwd: string): Promise<Project> {
  if (!isAbsolute(cwd)) return { root: cwd, branch: null };
  let directory = resolve(cwd);
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const git = await gitDirectory(directory);
    if (git !== null) return { root: directory, branch: await branchOf(git) };
    const above = dirname(directory);
    if (above === directory) break;
    directory = above;
  }
  return { root: resolve(cwd), branch: null };
}

/** In a worktree it is a file that names the directory. */
async function gitDirectory(directory: string): Promise<string | null> {
  const path = join(directory, '.git');
  const stat = await lstat(path).catch(() => null);
  if (stat?.isDirectory() === true) return path;
  const named = stat?.isFile() === true ? ELSEWHERE.exec((await readSmall(path)) ?? '')?.[1] : null;
  return named === null || named === undefined ? null : resolve(directory, named);
}

async function branchOf(git: string): Promise<string | null> {
  return BRANCH.exec((await readSmall(join(git, 'HEAD'))) ?? '')?.[1] ?? null;
}

/** Null for a link, for anything but a file, and for a large one. */
async function readSmall(path: string): Promise<string | null> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const file = await open(path, flags).catch(() => null);
  if (file === null) return null;
  try {
    const stat = await file.stat();
    return stat.isFile() && stat.size <= MAX_BYTES ? await file.readFile('utf8') : null;
  } catch {
    return null;
  } finally {
    await file.close().catch(() => undefined);
  }
}
