/**
 * What git still knows about a worktree, wherever its directory is: what was checked out, and
 * staged.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readRegular } from '../../lib/files/hostile-file.ts';
import type { GitAt } from '../git/git.ts';
import { gitFailed } from '../git/git-failed.ts';

/** Commits that were left, newest first; older ones have long been pruned. */
const MAX_LEFT = 2000;
const MAX_LOG_BYTES = 64 * 1024 * 1024;

/**
 * The commits that were once checked out there and still exist, newest first. `entry` is git's
 * directory for the worktree. Throws `git_failed`.
 */
export async function formerCommits(root: GitAt, entry: string): Promise<string[]> {
  const file = join(entry, 'logs/HEAD');
  // Read directly: git reads no log of a branch that has no commit yet.
  const text = readRegular(file, MAX_LOG_BYTES) ?? (await logOf(root, entry));
  const ids = text
    .split('\n')
    .flatMap((line) => /^[0-9a-f]{40,64}(?: [0-9a-f]{40,64})?/.exec(line));
  const all = [...new Set(ids.reverse().flatMap((pair) => pair?.split(' ').reverse() ?? []))];
  if (all.length === 0) return [];
  const input = all.map((id) => `${id}\n`).join('');
  const known = await root.run(['cat-file', '--batch-check'], { input, limit: 'list' });
  return known
    .split('\n')
    .flatMap((line) => (/ commit \d+$/.test(line) ? line.split(' ').slice(0, 1) : []))
    .slice(0, MAX_LEFT);
}

/** For a git that keeps its logs in no files. A missing log is empty. */
async function logOf(root: GitAt, entry: string): Promise<string> {
  const args = ['rev-list', '-g', '--reverse', `worktrees/${entry.split('/').at(-1) ?? ''}/HEAD`];
  const log = await root.attempt(args, { limit: 'list' });
  if (!log.ok && log.timedOut) throw gitFailed(root.directory, args, log);
  return log.ok ? log.stdout : '';
}

/**
 * The tree staged in a worktree whose directory is missing; null when there is none, or it equals
 * that of the commit it was at. Throws `git_failed`.
 */
export async function stagedIn(
  root: GitAt,
  entry: string,
  head: string | null,
  scratch: string,
): Promise<string | null> {
  const index = join(entry, 'index');
  if (statSync(index, { throwIfNoEntry: false })?.isFile() !== true) return null;
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const directory = mkdtempSync(join(scratch, 'staged-'));
  try {
    const copy = join(directory, 'index');
    copyFileSync(index, copy);
    const env = { GIT_DIR: entry, GIT_INDEX_FILE: copy };
    const written = await root.attempt(['write-tree'], { env, limit: 'list' });
    if (!written.ok && written.timedOut) throw gitFailed(root.directory, ['write-tree'], written);
    // An index in the middle of a merge has no tree.
    if (!written.ok) return null;
    const tree = written.stdout.trim();
    const before = head === null ? null : (await root.run(['rev-parse', `${head}^{tree}`])).trim();
    return tree === before ? null : tree;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
