/** What git knows about one worktree: the list in the git directory of the repository. */
import { existsSync, lstatSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { writeFileAtomic } from '../../lib/files/atomic-file.ts';
import { readRegular } from '../../lib/files/hostile-file.ts';
import { realDirectory } from '../../lib/files/real-directory.ts';
import type { GitAt } from './git.ts';
import type { WorktreeRecord } from '../worktree-store.ts';

/** Each file of an entry is one line. */
const MAX_ENTRY_BYTES = 64 * 1024;

export interface WorktreeEntry {
  path: string;
  /** Its current commit; null before the first. */
  head: string | null;
  /** The branch it is on, if any. */
  branch: string | null;
  /** The reason given for its lock; null when it is not locked. */
  locked: string | null;
}

const NO_COMMIT = /^0+$/;

/** No working git holds one of these for longer. */
const STALE_LOCK_MS = 60_000;

/** Every worktree of the repository, the main one first. Throws `git_failed`. */
export async function listEntries(git: GitAt): Promise<WorktreeEntry[]> {
  const listing = await git.run(['worktree', 'list', '--porcelain'], { limit: 'list' });
  return listing.split('\n\n').flatMap((text, index) => {
    const lines = text.split('\n');
    const listed = word(lines, 'worktree');
    if (listed === undefined) return [];
    // Git names the main worktree by the location of its configuration, which is ours.
    const path = index === 0 ? git.root : listed;
    const head = word(lines, 'HEAD');
    const branch = word(lines, 'branch');
    return {
      path,
      head: head === undefined || NO_COMMIT.test(head) ? null : head,
      branch: branch?.replace(/^refs\/heads\//, '') ?? null,
      locked: lines.includes('locked') ? '' : (word(lines, 'locked') ?? null),
    };
  });
}

function word(lines: readonly string[], key: string): string | undefined {
  return lines.find((line) => line.startsWith(`${key} `))?.slice(key.length + 1);
}

/**
 * The directory in which git keeps its data about a linked worktree, or null when it knows nothing.
 * `root` is the main worktree.
 */
export function entryDirectory(root: string, path: string): string | null {
  const all = join(root, '.git', 'worktrees');
  for (const name of existsSync(all) ? readdirSync(all) : []) {
    const directory = join(all, name);
    if (readIfThere(join(directory, 'gitdir'), directory) === join(path, '.git')) return directory;
  }
  return null;
}

/** Whether a worktree and the directory of its entry lead to each other. */
export function isLinked(path: string, entry: string): boolean {
  const found = linkIn(path);
  if (found === null || found === entry) return found === entry;
  const real = realDirectory(found)?.path;
  return real !== undefined && real === realDirectory(entry)?.path;
}

/**
 * Rewrites the `.git` of a worktree known to git, if only that is missing, or leads to its entry
 * through our front of the repository, which only the daemon's own git uses. Throws the system's
 * error.
 */
export function relink(path: string, entry: string): void {
  const link = join(path, '.git');
  const isDirectory = lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isDirectory) return;
  const text = `gitdir: ${entry}\n`;
  if (!isThere(link)) writeFileSync(link, text, { flag: 'wx' });
  else if (linkIn(path) !== entry && isLinked(path, entry))
    writeFileAtomic(path, '.git', text, 0o644);
}

function linkIn(path: string): string | null {
  const found = /^gitdir: (.+)$/m.exec(readText(join(path, '.git')) ?? '')?.[1];
  return found === undefined ? null : resolve(path, found);
}

/**
 * Whether the path is a directory, and not reached through a link in its place or in that of the
 * directory of worktrees.
 */
export function isOwnDirectory(path: string): boolean {
  return [dirname(path), path].every(
    (each) => lstatSync(each, { throwIfNoEntry: false })?.isDirectory() ?? false,
  );
}

/** True for a dangling link too. */
export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/**
 * Removes locks that a killed git left of the worktree itself, of its branch, and of its snapshots:
 * as long as they exist nothing can be done there. `nowMs` is wall time. Locks of the whole
 * repository are a person’s to remove. Throws the system's error.
 */
export function dropStaleLocks(
  { repository, path, branch }: Pick<WorktreeRecord, 'repository' | 'path' | 'branch'>,
  nowMs: number,
): void {
  const entry = entryDirectory(repository, path);
  const refs = [`refs/heads/${branch}`, `refs/loopwatch/verified/${basename(path)}`];
  const locked = [
    ...(entry === null ? [] : [join(entry, 'index'), join(entry, 'HEAD')]),
    ...refs.map((ref) => join(repository, '.git', ref)),
  ];
  dropStale(locked, nowMs);
}

/** Removes the locks of those files that are older than a minute. Throws the system's error. */
export function dropStale(files: readonly string[], nowMs: number): void {
  for (const file of files) {
    const lock = `${file}.lock`;
    const stat = lstatSync(lock, { throwIfNoEntry: false });
    if (stat?.isFile() === true && nowMs - stat.mtimeMs > STALE_LOCK_MS) {
      rmSync(lock, { force: true });
    }
  }
}

function readIfThere(file: string, from: string): string | null {
  const text = readText(file)?.trim();
  return text === undefined ? null : resolve(from, text);
}

function readText(file: string): string | null {
  return readRegular(file, MAX_ENTRY_BYTES);
}
