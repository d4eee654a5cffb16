/**
 * Removes a worktree so that nothing in it is lost: uncommitted work is committed, commits that no
 * branch leads to are kept under a backup ref, and only then git removes the directory, without
 * force: it checks on its own whether something has changed since.
 */
import { copyFileSync, renameSync } from 'node:fs';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/app-error.ts';
import { keepCommit, unreferenced } from '../git/backup-refs.ts';
import type { GitAt } from '../git/git.ts';
import { errorText, gitFailed } from '../git/git-failed.ts';
import { formerCommits, stagedIn } from '../reading/left-behind.ts';
import {
  commitTree,
  indexOf,
  type WorktreeContent,
  withContent,
} from '../reading/worktree-content.ts';
import type { WorkFacts } from '../reading/work-facts.ts';
import type { WorktreeRecord } from '../worktree-store.ts';

export interface SaveOptions {
  root: GitAt;
  record: WorktreeRecord;
  facts: WorkFacts;
  /** The name of the task, in refs and sentences. */
  task: string;
  /**
   * What happens to unfinished work: it is committed onto the branch of the worktree, if that is on
   * it; or only kept, because git was interrupted: then a missing file proves nothing.
   */
  unfinished: 'commit' | 'keep';
  /** Called when everything is saved, right before the directory is removed. */
  removing: () => void;
  scratch: string;
  clock: Clock;
}

/** What was done, in whole sentences, and the refs that keep what nothing else holds. */
export interface Saved {
  sentences: string[];
  backups: string[];
}

/**
 * Expects facts without an obstacle. Throws `worktree_holds_work` or `git_failed`, nothing lost.
 */
export async function saveAndRemove(options: SaveOptions): Promise<Saved> {
  const saved: Saved = { sentences: [], backups: [] };
  const { facts, record, root, scratch } = options;
  if (facts.inside !== null) {
    const { inside } = facts;
    await withContent(inside, { scratch }, async (content) => {
      const commit = await saveContent(options, inside, content, saved);
      await saveLeft(options, saved);
      options.removing();
      await removeAs(options, inside, content, commit);
    });
    saved.sentences.push(`Removed the worktree ${record.path}.`);
  } else if (facts.entry !== null) {
    await saveStaged(options, facts.entry, saved);
    await saveLeft(options, saved);
    options.removing();
    await forget(root, record.path);
    saved.sentences.push(`The worktree ${record.path} no longer existed.`);
  }
  return saved;
}

/** The commit that holds the whole content; null when there is nothing and never was. */
async function saveContent(
  options: SaveOptions,
  inside: GitAt,
  content: WorktreeContent,
  saved: Saved,
): Promise<string | null> {
  const { record, facts, task, clock } = options;
  const parents = content.head === null ? [] : [content.head];
  const commitOf = async (tree: string, subject: string) =>
    commitTree(inside, tree, parents, `${subject} of ${task}`, clock);
  if (content.staged !== null) {
    await keep(options, await commitOf(content.staged, 'Staged work'), 'Staged work', saved);
  }
  if (!content.dirty) return content.head;
  const onlyKept = options.unfinished === 'keep';
  const { changed, written } = await countChanges(inside, content);
  if (onlyKept && written === 0) return commitOf(content.tree, 'Partial worktree');
  const commit = await commitOf(content.tree, 'Unfinished work');
  const files = changed === 1 ? '1 changed file' : `${changed} changed files`;
  if (!onlyKept && facts.headBranch === record.branch && content.head !== null) {
    const args = ['update-ref', `refs/heads/${record.branch}`, commit, content.head];
    await inside.run(args, { limit: 'change' });
    saved.sentences.push(`Committed ${files} to ${record.branch} (${commit.slice(0, 10)}).`);
  } else {
    await keep(options, commit, `Unfinished work, ${files},`, saved);
  }
  return commit;
}

/** The directory is missing, but git still has what was staged in it. */
async function saveStaged(options: SaveOptions, entry: string, saved: Saved): Promise<void> {
  const { root, facts, task, scratch, clock } = options;
  const tree = await stagedIn(root, entry, facts.head, scratch);
  if (tree === null) return;
  const parents = facts.head === null ? [] : [facts.head];
  const commit = await commitTree(root, tree, parents, `Staged work of ${task}`, clock);
  await keep(options, commit, 'Staged work', saved);
}

/** How many files differ from the commit, and how many of these are not just missing. */
async function countChanges(inside: GitAt, { head, tree }: WorktreeContent) {
  const listing =
    head === null
      ? await inside.run(['ls-tree', '-r', '-z', '--name-only', tree], { limit: 'list' })
      : await inside.run(['diff-tree', '-r', '-z', '--name-status', head, tree], { limit: 'list' });
  const fields = listing.split('\0').filter((word) => word !== '');
  const kinds = head === null ? fields : fields.filter((_, at) => at % 2 === 0);
  return { changed: kinds.length, written: kinds.filter((kind) => kind !== 'D').length };
}

/** Saves what the worktree was once at and no branch has: commits on no branch, or undone ones. */
async function saveLeft({ root, facts, ...options }: SaveOptions, saved: Saved): Promise<void> {
  if (facts.entry === null) return;
  const commits = await formerCommits(root, facts.entry);
  const left = await unreferenced(root, facts.head === null ? commits : [facts.head, ...commits]);
  if (left.length === 0) return;
  const what = left.length === 1 ? 'A commit that is' : 'Commits that are';
  const all = { ...options, root, facts };
  await keep(all, await joined(all, left), `${what} on no branch`, saved);
}

/** One commit that leads to all of them. */
async function joined(options: SaveOptions, commits: readonly string[]): Promise<string> {
  const [first = '', ...others] = commits;
  if (others.length === 0) return first;
  const tree = (await options.root.run(['rev-parse', `${first}^{tree}`])).trim();
  return commitTree(options.root, tree, commits, `What ${options.task} left`, options.clock);
}

async function keep(
  { root, task, clock }: SaveOptions,
  commit: string,
  what: string,
  saved: Saved,
): Promise<void> {
  const ref = await keepCommit(root, task, commit, clock);
  saved.backups.push(ref);
  saved.sentences.push(`${what} is kept as ${ref}.`.replace(/^(Commits.*) is kept/, '$1 are kept'));
}

/** Points git's HEAD and index at that commit, so that the worktree is clean, and removes it. */
async function removeAs(
  { root, record, facts, task }: SaveOptions,
  inside: GitAt,
  content: WorktreeContent,
  commit: string | null,
): Promise<void> {
  const now = await inside.ask(['rev-parse', '--verify', '--quiet', 'HEAD']);
  const moved = commit !== null && now !== commit;
  if (moved) await inside.run(['update-ref', '--no-deref', 'HEAD', commit], { limit: 'change' });
  const index = await indexOf(inside);
  copyFileSync(content.index, `${index}.loopwatch`);
  renameSync(`${index}.loopwatch`, index);
  // A git that was killed while it created the worktree left its lock; other locks were an
  // obstacle.
  await root.attempt(['worktree', 'unlock', record.path], { limit: 'change' });
  const args = ['worktree', 'remove', record.path];
  const removed = await root.attempt(args, { limit: 'change' });
  if (removed.ok) return;
  if (removed.timedOut) throw gitFailed(record.repository, args, removed);
  if (moved) await putBack(inside, facts.headBranch, content.head);
  throw new AppError(
    'worktree_holds_work',
    `git does not remove ${record.path}: ${errorText(removed)}; stop what still writes there for ${task}, then try again`,
  );
}

async function putBack(inside: GitAt, branch: string | null, head: string | null): Promise<void> {
  if (branch !== null) await inside.attempt(['symbolic-ref', 'HEAD', `refs/heads/${branch}`]);
  else if (head !== null) await inside.attempt(['update-ref', '--no-deref', 'HEAD', head]);
}

/** Makes git drop its entry of a worktree whose directory is missing, and no other entry. */
async function forget(root: GitAt, path: string): Promise<void> {
  await root.attempt(['worktree', 'unlock', path], { limit: 'change' });
  await root.run(['worktree', 'remove', path], { limit: 'change' });
}
