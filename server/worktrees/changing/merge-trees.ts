/** The result of merging two commits, worked out outside every working tree. */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../lib/app-error.ts';
import { makeCheckout } from '../git/checkouts.ts';
import type { GitAt, GitOptions } from '../git/git.ts';
import { gitFailed } from '../git/git-failed.ts';
import { ownObjects } from '../reading/worktree-content.ts';
import type { WorktreeTools } from '../worktree-tools.ts';

/** Two commits; the second is merged into the first. */
export interface MergePair {
  into: string;
  from: string;
}

export type MergedTrees =
  | { tree: string }
  /** Paths that need a person, at most 200. */
  | { conflicts: string[] };

const MAX_CONFLICTS = 200;
const ATTRIBUTES = ':(top,glob)**/.gitattributes';
/** Git's exit code for an option it does not know, and for a merge with conflicts. */
const USAGE = 129;
const CONFLICTS = 1;

/**
 * With `forget`, new objects are removed: the tree is of no use then. Neither commit, index, files
 * nor refs change. Throws `git_failed`, also for histories that have nothing in common.
 */
export async function mergeTrees(
  { git, scratch }: Pick<WorktreeTools, 'git' | 'scratch'>,
  root: GitAt,
  pair: MergePair,
  { forget = false }: { forget?: boolean } = {},
): Promise<MergedTrees> {
  if ((await root.ask(['merge-base', pair.into, pair.from])) === null) {
    const next = 'fetch the whole history if this is a shallow clone, or merge by hand';
    throw new AppError('git_failed', `the two branches have no commit in common; ${next}`);
  }
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const directory = mkdtempSync(join(scratch, 'merge-'));
  try {
    const env = forget ? await ownObjects(root, directory) : {};
    const merged = await mergeInMemory(root, pair, directory, env);
    if (merged !== null) return merged;
    const checkout = await makeCheckout(root, pair.into, scratch);
    try {
      return await mergeInCheckout(await git.at(checkout.path), pair.from, env);
    } finally {
      await checkout.dispose();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Null where git is too old for it (before 2.38). */
async function mergeInMemory(
  root: GitAt,
  { into, from }: MergePair,
  directory: string,
  objects: Record<string, string>,
): Promise<MergedTrees | null> {
  const top = join(directory, 'top');
  const env = { ...objects, GIT_INDEX_FILE: join(directory, 'index'), GIT_WORK_TREE: top };
  const attempt = async (command: readonly string[], options: GitOptions) =>
    root.attempt(['-C', top, ...command], { env, limit: 'change', ...options });
  const run = async (command: readonly string[], options: GitOptions) => {
    const result = await attempt(command, options);
    if (!result.ok) throw gitFailed(root.directory, command, result);
    return result.stdout;
  };
  mkdirSync(top);
  // The attributes of the branch count, not those of the main worktree.
  await run(['read-tree', into], {});
  const bytes = { encoding: 'latin1' as const };
  const listing = await run(['ls-files', '--stage', '-z', '--', ATTRIBUTES], bytes);
  // Only regular files: a link would lead elsewhere.
  const files = listing.split('\0').filter((line) => line.startsWith('100'));
  const input = files.map((line) => `${line.slice(line.indexOf('\t') + 1)}\0`).join('');
  await run(['checkout-index', '-z', '--stdin'], { ...bytes, input });
  const command = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', into, from];
  const merged = await attempt(command, {});
  if (!merged.ok && merged.code === USAGE) return null;
  if (!merged.ok && merged.code !== CONFLICTS) throw gitFailed(root.directory, command, merged);
  const [tree = '', ...conflicts] = merged.stdout.split('\0').filter((field) => field !== '');
  return merged.ok ? { tree } : { conflicts: conflicts.slice(0, MAX_CONFLICTS) };
}

async function mergeInCheckout(
  inside: GitAt,
  from: string,
  env: Record<string, string>,
): Promise<MergedTrees> {
  const command = ['merge', '--no-commit', '--no-ff', '--no-verify-signatures', '--quiet', from];
  // Git wants to know who merges, and records it nowhere. Old answers to a conflict are not given
  // again without a person.
  const settings = [
    'user.name=Loopwatch',
    'user.email=loopwatch@localhost',
    'rerere.enabled=false',
  ];
  const args = [...settings.flatMap((setting) => ['-c', setting]), ...command];
  const merged = await inside.attempt(args, { env, limit: 'change' });
  const listing = await inside.run(['ls-files', '--unmerged', '-z'], { env, limit: 'list' });
  const unmerged = listing.split('\0').filter((line) => line !== '');
  if (unmerged.length > 0) {
    const paths = unmerged.map((line) => line.slice(line.indexOf('\t') + 1));
    return { conflicts: [...new Set(paths)].slice(0, MAX_CONFLICTS) };
  }
  if (!merged.ok) throw gitFailed(inside.directory, command, merged);
  return { tree: (await inside.run(['write-tree'], { env, limit: 'list' })).trim() };
}
