/**
 * The content of a worktree as git objects, without touching its branch, its index or its files:
 * the index is copied, and everything is added to the copy.
 */
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Clock } from '../../lib/clock.ts';
import type { GitAt } from '../git/git.ts';
import { nestedRepositories, readChanges } from './changes.ts';
import { dropStaleLocks } from '../git/worktree-entry.ts';
import { requireInside } from './work-facts.ts';
import type { WorktreeRecord } from '../worktree-store.ts';
import type { WorktreeTools } from '../worktree-tools.ts';

export interface WorktreeContent {
  /** The commit that is checked out; null before the first. */
  head: string | null;
  /** All content: including changed and new files, but not ignored ones. */
  tree: string;
  /** The staged tree, if it is neither committed nor equal to the content. */
  staged: string | null;
  /** The tree differs from the commit's. */
  dirty: boolean;
  /** The index of exactly this tree; removed after `use`. */
  index: string;
}

export interface ContentOptions {
  /** A directory for temporary files. */
  scratch: string;
  /** New objects are left in the scratch directory, and removed after `use`. */
  forget?: boolean;
}

export interface Snapshot {
  commit: string;
  /** It contains something that was in no commit. */
  dirty: boolean;
}

/**
 * Passes the content of a worktree to `use`, with the environment in which git finds its objects,
 * and returns the result. Throws `git_failed`.
 */
export async function withContent<Result>(
  git: GitAt,
  { scratch, forget = false }: ContentOptions,
  use: (content: WorktreeContent, env: Record<string, string>) => Promise<Result> | Result,
): Promise<Result> {
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const directory = mkdtempSync(join(scratch, 'standing-'));
  try {
    const env = forget ? await ownObjects(git, directory) : {};
    return await use(await readContent(git, join(directory, 'index'), env), env);
  } finally {
    // There may be a hundred thousand objects: removed without blocking.
    await rm(directory, { recursive: true, force: true });
  }
}

/** Who commits; null: as the settings of the repository and of the user say. */
export type Committer = { NAME: string; EMAIL: string } | null;

const LOOPWATCH: Committer = { NAME: 'Loopwatch', EMAIL: 'loopwatch@localhost' };

/** A new commit, by Loopwatch unless another committer is given. Throws `git_failed`. */
export async function commitTree(
  git: GitAt,
  tree: string,
  parents: readonly string[],
  message: string,
  clock: Clock,
  committer: Committer = LOOPWATCH,
): Promise<string> {
  const who = { ...committer, DATE: `${Math.floor(clock.now() / 1000)} +0000` };
  const env = Object.fromEntries(
    Object.entries(who).flatMap(([key, value]) => [
      [`GIT_AUTHOR_${key}`, value],
      [`GIT_COMMITTER_${key}`, value],
    ]),
  );
  const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'];
  return (await git.run(args, { limit: 'change', env, input: `${message}\n` })).trim();
}

/**
 * The committer that the settings name, as for a commit by hand, or Loopwatch where they name none.
 * Throws nothing.
 */
export async function committerOf(git: GitAt): Promise<Committer> {
  for (const name of ['GIT_AUTHOR_IDENT', 'GIT_COMMITTER_IDENT']) {
    const named = await git.attempt(['-c', 'user.useConfigOnly=true', 'var', name]);
    if (!named.ok) return LOOPWATCH;
  }
  return null;
}

/**
 * A commit of exactly the current content, kept under `refs/loopwatch/verified/<name>`. Throws
 * `no_worktree` or `git_failed`.
 */
export async function takeSnapshot(
  { git, scratch, clock }: WorktreeTools,
  record: WorktreeRecord,
): Promise<Snapshot> {
  const { path } = record;
  const inside = await requireInside(git, record);
  return withContent(inside, { scratch }, async ({ head, tree, dirty }) => {
    const parents = head === null ? [] : [head];
    const message = `Contents of ${basename(path)}`;
    const commit =
      head === null || dirty ? await commitTree(inside, tree, parents, message, clock) : head;
    dropStaleLocks(record, clock.now());
    const ref = `refs/loopwatch/verified/${basename(path)}`;
    await inside.run(['update-ref', ref, commit], { limit: 'change' });
    return { commit, dirty };
  });
}

/** HEAD, the content and what is staged, as one text. Throws `no_worktree` or `git_failed`. */
export async function readFingerprint(
  { git, scratch }: WorktreeTools,
  record: WorktreeRecord,
): Promise<string> {
  const inside = await requireInside(git, record);
  return withContent(inside, { scratch, forget: true }, ({ head, tree, staged }) =>
    [head, tree, staged].map((id) => id ?? '-').join(' '),
  );
}

async function readContent(
  git: GitAt,
  index: string,
  objects: Record<string, string>,
): Promise<WorktreeContent> {
  const head = await git.ask(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  const headTree = head === null ? null : await git.ask(['rev-parse', `${head}^{tree}`]);
  const env = { ...objects, GIT_INDEX_FILE: index };
  const copied = await copyIndex(git, index);
  if (!copied && head !== null) await git.run(['read-tree', head], { env, limit: 'change' });
  // An index with conflicts has no tree; the content has.
  const staged = await git.attempt(['write-tree'], { env, limit: 'list' });
  await rereadAll(git, env);
  // Git adds nothing that it ignores, and fails where such a path is excluded.
  const changes = { ...(await readChanges(git)), ignored: [] };
  const found = await nestedRepositories(git, changes);
  const nested = found.map((path) => `:(top,exclude,literal)${path}`);
  await git.run(['add', '--all', '--', ':/', ...nested], { env, limit: 'content' });
  const tree = (await git.run(['write-tree'], { env, limit: 'list' })).trim();
  const stagedTree = staged.ok ? staged.stdout.trim() : tree;
  return {
    head,
    tree,
    staged: copied && stagedTree !== tree && stagedTree !== headTree ? stagedTree : null,
    dirty: tree !== headTree,
    index,
  };
}

/** False when there was no index. */
async function copyIndex(git: GitAt, to: string): Promise<boolean> {
  const from = await indexOf(git);
  if (!existsSync(from)) return false;
  // Read before the copy: an index written in between seems older than it is, never newer.
  const changedAt = Math.floor(statSync(from).mtimeMs / 1000) - 1;
  copyFileSync(from, to);
  // Git trusts that a file is unchanged when it is older than the index; a copy is too young.
  utimesSync(to, changedAt, changedAt);
  return true;
}

/** Throws `git_failed`. */
export async function indexOf(git: GitAt): Promise<string> {
  const directory = (await git.run(['rev-parse', '--absolute-git-dir'])).trim();
  return join(directory, 'index');
}

/** Files may have been marked as unchanging, or as absent; what exists counts. */
async function rereadAll(git: GitAt, env: Record<string, string>): Promise<void> {
  // A file name need not be valid text.
  const bytes = { env, encoding: 'latin1' as const };
  const listing = await git.run(['ls-files', '-v', '-z'], { ...bytes, limit: 'list' });
  const lines = listing.split('\0');
  const unmark = async (mark: string, marked: readonly string[]) => {
    if (marked.length === 0) return;
    const input = marked.map((line) => `${line.slice(2)}\0`).join('');
    const args = ['update-index', `--no-${mark}`, '-z', '--stdin'];
    await git.run(args, { ...bytes, input, limit: 'change' });
  };
  const assumed = lines.filter((line) => /^[a-z] /.test(line));
  await unmark('assume-unchanged', assumed);
  const place = Buffer.from(`${git.directory}/`);
  const exists = (line: string) => {
    const path = Buffer.concat([place, Buffer.from(line.slice(2), 'latin1')]);
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  };
  const skipped = lines.filter((line) => /^s /i.test(line));
  await unmark('skip-worktree', skipped.filter(exists));
}

/** The environment in which git writes new objects only to that directory. Throws `git_failed`. */
export async function ownObjects(git: GitAt, directory: string): Promise<Record<string, string>> {
  const objects = join(directory, 'objects');
  mkdirSync(objects);
  const shared = (await git.run(['rev-parse', '--git-path', 'objects'])).trim();
  const real = shared.startsWith('/') ? shared : join(git.directory, shared);
  return { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: real };
}
