/**
 * Moves a branch to a new commit, and the worktree that has it checked out with it. The branch moves
 * first, as only that can fail for a good reason. A ref `refs/loopwatch/merging/<branch>` says so
 * until the files have followed: after a kill, `finishMerges` brings them along.
 */
import { join } from 'node:path';
import { AppError } from '../../lib/app-error.ts';
import { keepCommit } from '../git/backup-refs.ts';
import { openHolder } from './branch-hold.ts';
import { commitOf } from '../git/branch-name.ts';
import type { GitAt } from '../git/git.ts';
import { gitFailed } from '../git/git-failed.ts';
import { commitTree, withContent } from '../reading/worktree-content.ts';
import { dropStale, listEntries } from '../git/worktree-entry.ts';
import type { WorktreeTools } from '../worktree-tools.ts';

/** A branch that goes from one commit to the next, whose first parent that is. */
export interface Step {
  branch: string;
  old: string;
  commit: string;
  /** Of the work that it brings, for git's log of the branch. */
  name: string;
}

export type Advance =
  | { kind: 'merged'; commit: string }
  /** The branch moved while the result was checked. */
  | { kind: 'moved'; detail: string };

const MERGING = 'refs/loopwatch/merging/';
const CHANGE = { limit: 'change' as const };

/** `holder` is in the worktree that has the branch, if any. Throws `git_failed`. */
export async function advanceBranch(
  { clock }: WorktreeTools,
  root: GitAt,
  { branch, old, commit, name }: Step,
  holder: GitAt | null,
): Promise<Advance> {
  const marker = `${MERGING}${branch}`;
  const unmark = async () => root.run(['update-ref', '-d', marker, commit], CHANGE);
  dropStale([join(root.place.commonDirectory, marker)], clock.now());
  await root.run(['update-ref', marker, commit, ''], CHANGE);
  const args = ['update-ref', '-m', `merge of ${name} by Loopwatch`, `refs/heads/${branch}`];
  const moved = await (holder ?? root).attempt([...args, commit, old], CHANGE);
  // Killed by a time limit, git may still have moved it.
  const now = moved.ok ? commit : await commitOf(root, `refs/heads/${branch}`);
  if (now !== commit) {
    await unmark();
    if (!moved.ok && now === old) throw gitFailed(root.directory, args, moved);
    return movedAway(branch);
  }
  const followed = await holder?.attempt(['read-tree', '-m', '-u', old, commit], CHANGE);
  if (holder !== null && followed?.ok === false) {
    const why = gitFailed(holder.directory, ['read-tree'], followed).message;
    const done = `${branch} has the merge, but its worktree ${holder.directory} is behind`;
    throw new AppError('git_failed', `${done}: ${why}; the next merge brings it along`);
  }
  await unmark();
  return { kind: 'merged', commit };
}

export function movedAway(branch: string): Advance {
  return { kind: 'moved', detail: `${branch} moved while the merge was checked; merge again` };
}

/** Finishes what a kill cut short in this repository. Throws `git_failed`. */
export async function finishMerges(tools: WorktreeTools, root: GitAt): Promise<void> {
  const format = '--format=%(refname) %(objectname)';
  const listing = await root.run(['for-each-ref', format, MERGING], { limit: 'list' });
  for (const line of listing.split('\n').filter((each) => each !== '')) {
    const [ref = '', commit = ''] = line.split(' ');
    const branch = ref.slice(MERGING.length);
    const now = tools.clock.now();
    const git = root.place.commonDirectory;
    dropStale([join(git, 'refs/heads', branch), join(git, ref)], now);
    const old = await commitOf(root, `${commit}^1`);
    const tip = await commitOf(root, `refs/heads/${branch}`);
    const path = (await listEntries(root)).find((entry) => entry.branch === branch)?.path;
    const holder = path === undefined ? null : await openHolder(tools.git, root, path, branch);
    if (holder !== null) {
      dropStale(
        ['index', 'HEAD'].map((file) => join(holder.place.gitDirectory, file)),
        now,
      );
    }
    // A branch that has not moved, or has moved on, is nothing to follow.
    if (holder !== null && old !== null && tip === commit) {
      await follow(tools, holder, { branch, old, commit });
    }
    await root.run(['update-ref', '-d', ref, commit], CHANGE);
  }
}

/**
 * Gives each file that changed between the two commits its new content, wherever git was stopped.
 * Content of another origin is kept under a backup ref first; what is missing is not taken for work.
 */
async function follow(
  { scratch, clock, logger }: WorktreeTools,
  holder: GitAt,
  { branch, old, commit }: Omit<Step, 'name'>,
): Promise<void> {
  // Fails, before anything is kept twice, where another git holds the index; without the last flag
  // only if there is something to refresh.
  await holder.ask(['update-index', '-q', '--refresh', '--force-write-index'], CHANGE);
  const changed = await differences(holder, old, commit);
  await withContent(holder, { scratch }, async ({ tree }) => {
    const sinceOld = await differences(holder, old, tree);
    const sinceNew = await differences(holder, commit, tree);
    const foreign = [...changed.keys()].filter(
      (path) => sinceOld.has(path) && (sinceNew.get(path) ?? 'D') !== 'D',
    );
    if (foreign.length === 0) return;
    const kept = await commitTree(holder, tree, [commit], `Contents of ${branch}`, clock);
    const backup = await keepCommit(holder, branch, kept, clock);
    logger.warn({ branch, backup, files: foreign }, 'kept what a cut merge found in a worktree');
  });
  const gone = [...changed].filter(([, kind]) => kind === 'D').map(([path]) => path);
  const there = [...changed.keys()].filter((path) => changed.get(path) !== 'D');
  const each = async (args: string[], paths: string[]) => {
    if (paths.length === 0) return;
    const input = paths.map((path) => `${path}\0`).join('');
    const env = { GIT_LITERAL_PATHSPECS: '1' };
    const named = ['--pathspec-from-file=-', '--pathspec-file-nul'];
    await holder.run([...args, ...named], { ...CHANGE, env, input, encoding: 'latin1' });
  };
  await each(['rm', '--quiet', '--force', '--ignore-unmatch'], gone);
  await each(['restore', '--quiet', `--source=${commit}`, '--staged', '--worktree'], there);
}

/** Paths by how they changed, as bytes. Throws `git_failed`. */
async function differences(git: GitAt, from: string, to: string): Promise<Map<string, string>> {
  const args = ['diff-tree', '-r', '-z', '--name-status', '--no-renames', from, to];
  const listing = await git.run(args, { limit: 'list', encoding: 'latin1' });
  const fields = listing.split('\0');
  const pairs = fields.flatMap((kind, at) =>
    at % 2 === 0 && kind !== '' ? [[fields[at + 1] ?? '', kind] as const] : [],
  );
  return new Map(pairs);
}
