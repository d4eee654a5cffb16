/** The one registry of git worktrees: every one that the daemon creates is a row here first. */
import { basename } from 'node:path';
import type { GitBranches, WorkDiff, WorkState } from '../../shared/schema/tasks/project.ts';
import { TaskName } from '../../shared/schema/tasks/task-name.ts';
import { AppError, messageOf } from '../lib/app-error.ts';
import { Serial } from '../lib/serial.ts';
import { type Checkout, makeCheckout, removeLeftCheckouts } from './checkouts.ts';
import { createWorktree, pathOf, type WorktreeRequest } from './create-worktree.ts';
import { type BranchAfter, removeWorktree } from './remove-worktree.ts';
import {
  type BranchKind,
  currentBranch,
  findRepository,
  listBranches,
  remoteOf,
  requireRepository,
} from './repository.ts';
import { restoreWorktree } from './restore-worktree.ts';
import { rollBack } from './roll-back.ts';
import { takeSnapshot, type Snapshot } from './worktree-content.ts';
import { readWorkDiff } from './work-diff.ts';
import { readWorkState } from './work-state.ts';
import type { WorktreeRecord } from './worktree-store.ts';
import type { WorktreeTools } from './worktree-tools.ts';

export type Worktree = Omit<WorktreeRecord, 'state' | 'createdAt'>;

export interface RepositoryFacts {
  /** Real path of the main worktree. */
  root: string;
  /** The address of its remote, without a password. */
  remote: string | null;
  /** The branch it is on, if any. */
  branch: string | null;
}

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
    return this.#each(owner, task, requests, () => null);
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
    return this.#each(owner, task, requests, (path) => {
      const record = store.atPath(path);
      return record?.owner === owner ? record : null;
    });
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
   * A commit of exactly the current content, including new files, kept under
   * `refs/loopwatch/verified/<name>`; the last commit itself when nothing is dirty. Worktree, index
   * and branch are left as they are. Throws `git_failed`.
   */
  async snapshot(worktree: Worktree): Promise<Snapshot> {
    return this.#with(worktree, (record) => takeSnapshot(this.#tools, record));
  }

  /** A clean checkout of a commit, outside the repository. Throws `git_failed`. */
  async checkout(worktree: Worktree, commit: string): Promise<Checkout> {
    const { git, scratch } = this.#tools;
    const run = async <Result>(act: () => Promise<Result>) =>
      this.#serial.run(worktree.repository, act);
    const root = await git.at(worktree.repository);
    const checkout = await run(async () => makeCheckout(root, commit, scratch));
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
   * At the start of a daemon: rolls back incomplete worktrees, finishes removals (branches stay),
   * removes leftover checkouts. Failures are logged and left for the next time.
   */
  async recover(): Promise<void> {
    const { git, store, logger, scratch } = this.#tools;
    const attempt = async (what: string, act: () => Promise<unknown>) =>
      act().catch((error: unknown) =>
        logger.warn({ what, error: messageOf(error) }, 'cannot recover a worktree'),
      );
    for (const record of store.all()) {
      const task = basename(record.path);
      if (record.state === 'creating') await rollBack(this.#tools, record, task);
      else if (record.state === 'removing') {
        await attempt(record.path, async () =>
          removeWorktree(this.#tools, record, { task, branch: 'keep' }),
        );
      }
    }
    await attempt(scratch, async () => removeLeftCheckouts(git, scratch));
  }

  /** Branches of the repository a directory is in. Throws as `repositoryOf`, or `not_a_repository`. */
  async branches(path: string, kind: BranchKind): Promise<GitBranches> {
    const { git, roots } = this.#tools;
    return listBranches((await requireRepository(git, path, roots)).here, kind);
  }

  /**
   * The repository a directory is in, or null. Throws `project_missing`, `outside_roots`,
   * `not_a_repository` for a submodule, `git_too_old` or `git_failed`.
   */
  async repositoryOf(path: string): Promise<RepositoryFacts | null> {
    const { git, roots } = this.#tools;
    const found = await findRepository(git, path, roots);
    if (found === null) return null;
    const { root, here } = found;
    return { root, remote: await remoteOf(here), branch: await currentBranch(here) };
  }

  async #each(
    owner: string,
    task: string,
    requests: readonly WorktreeRequest[],
    known: (path: string) => WorktreeRecord | null,
  ): Promise<Worktree[]> {
    const { git, roots } = this.#tools;
    for (const { name } of requests) requireName(name);
    const created: WorktreeRecord[] = [];
    const all: WorktreeRecord[] = [];
    try {
      for (const request of requests) {
        const repository = await requireRepository(git, request.repository, roots);
        await this.#serial.run(repository.root, async () => {
          const record = known(pathOf(repository.root, request.name));
          if (record !== null) all.push(await restoreWorktree(this.#tools, record, task));
          else {
            const details = { owner, task, request };
            const fresh = await createWorktree(this.#tools, repository, details);
            created.push(fresh);
            all.push(fresh);
          }
        });
      }
    } catch (error) {
      for (const record of created.reverse()) {
        await this.#serial.run(record.repository, async () => rollBack(this.#tools, record, task));
      }
      throw error;
    }
    return all.map(toWorktree);
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

function toWorktree({ state, createdAt, ...worktree }: WorktreeRecord): Worktree {
  return worktree;
}

function requireName(name: string): void {
  const parsed = TaskName.safeParse(name);
  if (parsed.success) return;
  const wanted = parsed.error.issues[0]?.message ?? '';
  throw new AppError('invalid_body', `${JSON.stringify(name)} is not a valid task name: ${wanted}`);
}
