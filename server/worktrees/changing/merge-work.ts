/** Merges the branch of a worktree into another branch: worked out aside, then moved in one step. */
import { basename } from 'node:path';
import { AppError } from '../../lib/app-error.ts';
import {
  type Advance,
  advanceBranch,
  finishMerges,
  movedAway,
  type Step,
} from './advance-branch.ts';
import { findHold, type InUse } from './branch-hold.ts';
import { commitOf, requireName } from '../git/branch-name.ts';
import type { GitAt } from '../git/git.ts';
import { type MergePair, mergeTrees } from './merge-trees.ts';
import { committerOf, commitTree } from '../reading/worktree-content.ts';
import type { WorktreeRecord } from '../worktree-store.ts';
import type { WorktreeTools } from '../worktree-tools.ts';

export interface MergeRequest {
  /** A local branch. */
  into: string;
  /** One commit without the history of the branch, instead of a merge commit. */
  squash: boolean;
  message: string;
  /**
   * Checks the merged result in a clean checkout of it: null accepts it, a text is the reason why
   * not.
   */
  verify(directory: string, commit: string): Promise<string | null>;
  /** Once it is aborted the branch does not move any more. */
  signal?: AbortSignal;
}

export type MergeResult =
  | Advance
  /** The other branch already has all of it. */
  | { kind: 'nothing' }
  /** At most 200 paths. */
  | { kind: 'conflicts'; files: string[] }
  /** `detail` is what `verify` returned, or that it was stopped. */
  | { kind: 'refused'; detail: string }
  | InUse;

/** A commit that holds the result; no ref leads to it yet. */
export interface PreparedMerge extends Step {
  kind: 'prepared';
  repository: string;
}

/** What a merge of a branch would bring. Uncommitted work does not count. */
export interface MergePreview {
  /** Commits that the other branch lacks. */
  commits: number;
  /** Files that the branch changed since it last had all of the other one. */
  files: number;
  /** Files that need a person; at most 200. */
  conflicts: string[];
}

/**
 * The result as a commit, or why there is none. First finishes a merge that was cut short. Throws
 * `branch_missing`, `invalid_body` or `git_failed`.
 */
export async function prepareMerge(
  tools: WorktreeTools,
  record: WorktreeRecord,
  { into, squash, message }: MergeRequest,
): Promise<PreparedMerge | MergeResult> {
  const { repository } = record;
  const root = await tools.git.at(repository);
  await finishMerges(tools, root);
  const tips = await readMergeTips(root, record, into);
  const { into: old, from } = tips;
  if ((await root.ask(['merge-base', '--is-ancestor', from, old])) !== null) {
    return { kind: 'nothing' };
  }
  const merged = await mergeTrees(tools, root, tips);
  if ('conflicts' in merged) {
    return { kind: 'conflicts', files: merged.conflicts };
  }
  if (squash && (await treeOf(root, old)) === merged.tree) return { kind: 'nothing' };
  const { clock } = tools;
  const parents = squash ? [old] : [old, from];
  const committer = await committerOf(root);
  const commit = await commitTree(root, merged.tree, parents, message, clock, committer);
  const step = { branch: into, old, commit, name: basename(record.path) };
  // Better known before the result is checked, which may take long.
  const hold = await findHold(tools.git, root, step);
  return hold.kind === 'in_use' ? hold : { ...step, kind: 'prepared', repository };
}

/** Moves the branch to the prepared result if it is where it was, and no stop came. Throws `git_failed`. */
export async function landMerge(
  tools: WorktreeTools,
  { repository, kind: _, ...step }: PreparedMerge,
  signal?: AbortSignal,
): Promise<MergeResult> {
  const root = await tools.git.at(repository);
  await finishMerges(tools, root);
  if ((await commitOf(root, `refs/heads/${step.branch}`)) !== step.old) {
    return movedAway(step.branch);
  }
  const hold = await findHold(tools.git, root, step);
  if (hold.kind === 'in_use') return hold;
  if (signal?.aborted === true) return { kind: 'refused', detail: 'it was stopped before that' };
  return advanceBranch(tools, root, step, hold.git);
}

/**
 * The commits to merge. Throws `branch_missing`, `invalid_body` for what is no name of a branch or
 * only another name of one, or `git_failed`.
 */
async function readMergeTips(
  root: GitAt,
  { branch }: WorktreeRecord,
  into: string,
): Promise<MergePair> {
  return { into: await readMergeTarget(root, into), from: await tipOf(root, branch) };
}

/** The newest commit of a branch that may be merged into. Throws as `readMergeTips`. */
export async function readMergeTarget(root: GitAt, into: string): Promise<string> {
  await requireName(root, into);
  const alias = await root.ask(['symbolic-ref', '--quiet', `refs/heads/${into}`]).catch(() => null);
  if (alias !== null) {
    const message = `${into} is only another name of ${alias}; merge into that branch`;
    throw new AppError('invalid_body', message);
  }
  return tipOf(root, into);
}

async function tipOf(root: GitAt, branch: string): Promise<string> {
  const tip = await commitOf(root, `refs/heads/${branch}`);
  if (tip !== null) return tip;
  const next = 'choose an existing one, or create it with a first commit';
  throw new AppError('branch_missing', `${root.root} has no branch ${branch}; ${next}`);
}

async function treeOf(root: GitAt, commit: string): Promise<string> {
  return (await root.run(['rev-parse', `${commit}^{tree}`])).trim();
}

/** Throws `branch_missing`, `invalid_body` or `git_failed`. */
export async function readMergePreview(
  tools: WorktreeTools,
  record: WorktreeRecord,
  into: string,
): Promise<MergePreview> {
  const root = await tools.git.at(record.repository);
  const tips = await readMergeTips(root, record, into);
  const list = { limit: 'list' as const };
  const range = [tips.from, `^${tips.into}`];
  const commits = Number(await root.run(['rev-list', '--count', ...range], list));
  if (commits === 0) return { commits, files: 0, conflicts: [] };
  const merged = await mergeTrees(tools, root, tips, { forget: true });
  const base = (await root.run(['merge-base', tips.into, tips.from])).trim();
  const changed = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', base, tips.from];
  const files = (await root.run(changed, list)).split('\0').length - 1;
  return { commits, files, conflicts: 'conflicts' in merged ? merged.conflicts : [] };
}
