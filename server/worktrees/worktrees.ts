/** The one registry of git worktrees: every one that the daemon creates is a row here first. */
import type { GitBranches, WorkDiff, WorkState } from '../../shared/schema/tasks/project.ts';
import { AppError } from '../lib/app-error.ts';
import { Serial } from '../lib/serial.ts';
import type { Checkout } from './git/checkouts.ts';
import { commitWork } from './changing/commit-work.ts';
import type { WorktreeRequest } from './changing/create-worktree.ts';
import { createWorktrees } from './changing/create-worktrees.ts';
import {
  type MergePreview,
  readMergePreview,
  landMerge,
  type MergeRequest,
  type MergeResult,
  prepareMerge,
  readMergeTarget,
} from './changing/merge-work.ts';
import { recoverWorktrees } from './changing/recover-worktrees.ts';
import { type BranchAfter, removeWorktree } from './changing/remove-worktree.ts';
import {
  type BranchKind,
  listBranches,
  repositoryFacts,
  type RepositoryFacts,
  requireRepository,
} from './git/repository.ts';
import { setUpCheckout, type SetupRun, setUpWorktree } from './changing/set-up-worktree.ts';
import { readFingerprint, takeSnapshot, type Snapshot } from './reading/worktree-content.ts';
import { readDiffBetween, readWorkDiff } from './reading/work-diff.ts';
import { readWorkState } from './work-state.ts';
import type { WorktreeRecord } from './worktree-store.ts';
import type { WorktreeTools } from './worktree-tools.ts';

export type Worktree = Omit<WorktreeRecord, 'state' | 'createdAt' | 'setUpAt'>;

export class Worktrees {
  readonly #tools: WorktreeTools;
  /** One operation per repository: git locks, and what was inspected must still hold. */
  readonly #serial = new Serial();

  constructor(tools: WorktreeTools) {
    this.#tools = tools;
  }

  /** The worktrees of a task or run, oldest first. */
  of(owner: string): Worktree[] {
    return this.#tools.store
      .of(owner)
      .filter(({ state }) => state !== 'creating')
      .map(toWorktree);
  }

  /**
   * Creates all requested worktrees, or none. Throws `branch_in_use`, `branch_missing`,
   * `invalid_body`, `outside_roots`, `project_missing`, `not_a_repository`, `worktree_failed`,
   * `worktree_holds_work`, `git_too_old` or `git_failed`.
   */
  async create(
    owner: string,
    task: string,
    requests: readonly WorktreeRequest[],
  ): Promise<Worktree[]> {
    const ask = { owner, task, requests, known: () => null };
    return (await createWorktrees(this.#tools, this.#serial, ask)).map(toWorktree);
  }

  /**
   * Restores the worktrees of a task, some of which may have been removed: existing ones are left
   * as they are, missing ones are created again on their branch. Throws as `create`.
   */
  async restore(
    owner: string,
    task: string,
    requests: readonly WorktreeRequest[],
  ): Promise<Worktree[]> {
    const { store } = this.#tools;
    const known = (path: string) => {
      const record = store.atPath(path);
      return record?.owner === owner ? record : null;
    };
    const ask = { owner, task, requests, known };
    return (await createWorktrees(this.#tools, this.#serial, ask)).map(toWorktree);
  }

  /**
   * Gives new worktrees what their projects want for them. False when `run.signal` ended it. Throws
   * `worktree_failed` or `git_failed`. The repository can be used meanwhile.
   */
  async setUp(owner: string, task: string, run: SetupRun): Promise<boolean> {
    for (const record of this.#tools.store.of(owner)) {
      if (!(await setUpWorktree(this.#tools, record, task, run))) return false;
    }
    return true;
  }

  /** The content of a worktree, and what a removal would do with it. Throws `git_failed`. */
  async inspect(worktree: Worktree): Promise<WorkState> {
    return this.#with(worktree, (record) => readWorkState(this.#tools.git, record));
  }

  /** Its difference from where its branch began. Throws `git_failed`. */
  async diff(worktree: Worktree): Promise<WorkDiff> {
    const { git, scratch } = this.#tools;
    return this.#with(worktree, (record) => readWorkDiff(git, record, scratch));
  }

  /**
   * The difference between two commits of its repository, given as full ids. Throws `invalid_body`,
   * `no_worktree` or `git_failed`.
   */
  async diffBetween(worktree: Worktree, from: string, to: string): Promise<WorkDiff> {
    const { git } = this.#tools;
    return this.#with(worktree, (record) => readDiffBetween(git, record, from, to));
  }

  /**
   * Commits the current content, including new files, to its own branch, and returns the commit;
   * the last one when nothing is dirty. Throws `branch_missing`, `no_worktree`, `worktree_failed`
   * on another branch or in an unfinished merge, or `git_failed`.
   */
  async commit(worktree: Worktree, message: string): Promise<string> {
    return this.#with(worktree, (record) => commitWork(this.#tools, record, message));
  }

  /** What a merge into that branch would bring; changes nothing. Throws as `merge`. */
  async mergePreview(worktree: Worktree, into: string): Promise<MergePreview> {
    return this.#with(worktree, (record) => readMergePreview(this.#tools, record, into));
  }

  /**
   * Merges the last commit of its branch into another local branch, once `verify` accepts the
   * result. The repository can be used meanwhile. Throws `branch_missing`, `invalid_body`,
   * `no_worktree` or `git_failed`, and what `verify` throws; the branch has then not moved,
   * unless git's message says that its worktree is behind.
   */
  async merge(worktree: Worktree, request: MergeRequest): Promise<MergeResult> {
    const tools = this.#tools;
    const prepared = await this.#with(worktree, (record) => prepareMerge(tools, record, request));
    if (prepared.kind !== 'prepared') return prepared;
    const checkout = await this.checkout(worktree, prepared.commit);
    let refusal: string | null;
    try {
      refusal = await request.verify(checkout.path, prepared.commit);
    } finally {
      await checkout.dispose();
    }
    if (refusal !== null) return { kind: 'refused', detail: refusal };
    return this.#serial.run(worktree.repository, async () =>
      landMerge(tools, prepared, request.signal),
    );
  }

  /**
   * A commit of exactly the current content, including new files, kept under
   * `refs/loopwatch/verified/<name>`; the last commit itself when nothing is dirty. Worktree, index
   * and branch are left as they are. Throws `git_failed`.
   */
  async snapshot(worktree: Worktree): Promise<Snapshot> {
    return this.#with(worktree, (record) => takeSnapshot(this.#tools, record));
  }

  /** Equal only while HEAD, index and files are, ignored ones excluded. Throws `git_failed`. */
  async fingerprint(worktree: Worktree): Promise<string> {
    return this.#with(worktree, (record) => readFingerprint(this.#tools, record));
  }

  /**
   * A clean checkout of a commit, outside the repository, with the ignored files and shared folders
   * of its project. Throws `git_failed` or `worktree_failed`.
   */
  async checkout(worktree: Worktree, commit: string): Promise<Checkout> {
    const run = async <Result>(act: () => Promise<Result>) =>
      this.#serial.run(worktree.repository, act);
    const checkout = await run(async () => setUpCheckout(this.#tools, worktree, commit));
    return { path: checkout.path, dispose: async () => run(async () => checkout.dispose()) };
  }

  /**
   * Removes the worktrees of a task so that no work is lost; returns what was done, in whole
   * sentences. Throws `worktree_holds_work` or `git_failed`; worktrees removed before that stay
   * removed.
   */
  async remove(
    owner: string,
    task: string,
    { branch }: { branch: BranchAfter } = { branch: 'keep_unmerged' },
  ): Promise<string[]> {
    const sentences: string[] = [];
    for (const { id, repository, path } of this.of(owner)) {
      await this.#serial.run(repository, async () => {
        const record = this.#tools.store.atPath(path);
        // Another caller has just removed it.
        if (record?.id !== id) return;
        sentences.push(...(await removeWorktree(this.#tools, record, { task, branch })));
      });
    }
    return sentences;
  }

  /** Drops its worktrees from the registry and leaves them where they are: people's from now on. */
  release(owner: string): void {
    const { log, store } = this.#tools;
    log.write(() => {
      for (const { id } of store.of(owner)) store.delete(id);
    });
  }

  /**
   * At the start of a daemon: rolls back incomplete worktrees, finishes removals (branches stay) and
   * merges, removes leftover checkouts. Failures are logged and left for the next time.
   */
  async recover(): Promise<void> {
    return recoverWorktrees(this.#tools);
  }

  /** Branches of the repository a directory is in. Throws as `repositoryOf`, or `not_a_repository`. */
  async branches(path: string, kind: BranchKind): Promise<GitBranches> {
    const { git, roots } = this.#tools;
    return listBranches((await requireRepository(git, path, roots)).here, kind);
  }

  /** Throws as `merge` does for a branch that cannot be merged into. */
  async requireMergeTarget(repository: string, into: string): Promise<void> {
    await readMergeTarget(await this.#tools.git.at(repository), into);
  }

  /**
   * The repository a directory is in, or null. Throws `project_missing`, `outside_roots`,
   * `not_a_repository` where WT24 refuses it, `git_too_old` or `git_failed`.
   */
  async repositoryOf(path: string): Promise<RepositoryFacts | null> {
    return repositoryFacts(this.#tools.git, path, this.#tools.roots);
  }

  /** Runs for the current row; throws `no_worktree` when it no longer exists. */
  async #with<Result>(
    { id, repository, path }: Worktree,
    act: (record: WorktreeRecord) => Promise<Result>,
  ): Promise<Result> {
    return this.#serial.run(repository, async () => {
      const record = this.#tools.store.atPath(path);
      if (record?.id === id) return act(record);
      throw new AppError('no_worktree', `${path} was removed; run the task to create it again`);
    });
  }
}

function toWorktree({ state, createdAt, setUpAt, ...worktree }: WorktreeRecord): Worktree {
  return worktree;
}
