/** Finds the repository of a directory without git, which would read the repository's configuration. */
import { existsSync, lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export interface GitLocation {
  /** Top of the working tree. */
  top: string;
  /** Private to this worktree: HEAD, index. */
  gitDirectory: string;
  /** Shared by all worktrees: objects, refs, configuration. */
  commonDirectory: string;
}

/** A HEAD or a link to another directory is one short line. */
const MAX_BYTES = 4096;

/**
 * Null when git knows of no working tree there: outside every repository, inside a git directory,
 * or in a bare repository. Like git, stops at the border of a file system.
 */
export function findGitLocation(directory: string): GitLocation | null {
  const device = statSync(directory, { throwIfNoEntry: false })?.dev;
  for (let top = directory; ; top = dirname(top)) {
    if (statSync(top, { throwIfNoEntry: false })?.dev !== device) return null;
    const found = gitDirectoryIn(top);
    if (found !== null) return found.isWhole ? { top, ...found.place } : null;
    if (isWhole(placeOf(top)) || top === dirname(top)) return null;
  }
}

export interface UnusableGit {
  path: string;
  isDamaged: boolean;
}

/**
 * What there is of git where it knows of no working tree: a git directory around this one, a bare
 * repository, or a `.git` that is damaged. Null in a plain directory, also in one with an empty
 * `.git`, which sandboxes create.
 */
export function findUnusableGit(directory: string): UnusableGit | null {
  const device = statSync(directory, { throwIfNoEntry: false })?.dev;
  for (let top = directory; ; top = dirname(top)) {
    if (statSync(top, { throwIfNoEntry: false })?.dev !== device) return null;
    if (isWhole(placeOf(top))) return { path: top, isDamaged: false };
    const path = join(top, '.git');
    if (holdsGit(path)) return { path, isDamaged: gitDirectoryIn(top)?.isWhole !== true };
    if (top === dirname(top)) return null;
  }
}

function holdsGit(path: string): boolean {
  const link = lstatSync(path, { throwIfNoEntry: false });
  if (link === undefined) return false;
  const stat = statSync(path, { throwIfNoEntry: false });
  // A link to a directory that is missing was a repository.
  if (stat === undefined || stat.isFile()) return true;
  return ['HEAD', 'objects', 'refs', 'config'].some((name) => existsSync(join(path, name)));
}

/** A file that leads to no git directory ends the search; a directory that is none does not. */
function gitDirectoryIn(top: string) {
  const path = join(top, '.git');
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() === true) {
    const named = /^gitdir: ([^\n]+)\n*$/.exec(readShort(path) ?? '')?.[1];
    const place = placeOf(resolve(top, named ?? ''));
    return { place, isWhole: named !== undefined && isWhole(place) };
  }
  const place = placeOf(path);
  return stat?.isDirectory() === true && isWhole(place) ? { place, isWhole: true } : null;
}

function placeOf(gitDirectory: string): Omit<GitLocation, 'top'> {
  const shared = readShort(join(gitDirectory, 'commondir'))?.trim();
  const commonDirectory = shared === undefined ? gitDirectory : resolve(gitDirectory, shared);
  return { gitDirectory, commonDirectory };
}

function isWhole({ gitDirectory, commonDirectory }: Omit<GitLocation, 'top'>): boolean {
  return (
    hasHead(gitDirectory) &&
    ['objects', 'refs'].every(
      (name) =>
        statSync(join(commonDirectory, name), { throwIfNoEntry: false })?.isDirectory() === true,
    )
  );
}

function hasHead(gitDirectory: string): boolean {
  const path = join(gitDirectory, 'HEAD');
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    return readlinkSync(path).startsWith('refs/');
  }
  return /^(ref:\s*refs\/|[0-9a-f]{40})/.test(readShort(path) ?? '');
}

function readShort(path: string): string | null {
  try {
    const stat = statSync(path);
    return stat.isFile() && stat.size <= MAX_BYTES ? readFileSync(path, 'utf8') : null;
  } catch {
    return null;
  }
}
