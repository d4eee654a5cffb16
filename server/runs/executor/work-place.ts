/** Where a run works: its own worktree, or the directory itself. */
import { AppError } from '../../lib/app-error.ts';
import { realDirectory } from '../../lib/files/real-directory.ts';
import type { WorktreeRequest } from '../../worktrees/changing/create-worktree.ts';
import type { SetupRun } from '../../worktrees/changing/set-up-worktree.ts';
import type { Worktree, Worktrees } from '../../worktrees/worktrees.ts';
import { hasWorktree, ownerOf, type RunRecord } from '../stores/run-record.ts';

interface Options {
  worktrees: Worktrees;
  record: () => RunRecord;
}

/** The worktrees it needs: one, or none. */
export function worktreeRequests({ id, request }: Pick<RunRecord, 'id' | 'request'>) {
  if (!hasWorktree(request)) return [];
  const { directory: repository, options } = request;
  const branch = options.branch ?? `run/${id}`;
  const base = options.base_branch ?? null;
  return [{ repository, name: id, branch, base }] satisfies WorktreeRequest[];
}

/**
 * Ensures that everything exists and is set up; false when `run.signal` ended it. Throws an AppError that
 * names what is missing or failed.
 */
export async function prepareWork({ worktrees, record }: Options, run: SetupRun): Promise<boolean> {
  const { id, request } = record();
  const { directory } = request;
  if (realDirectory(directory) === null) {
    throw new AppError(
      'run_directory_missing',
      `Working directory not found: ${directory}; restore it, then resume the run`,
    );
  }
  // Refuses a git directory or what is left of a repository (WT24).
  if (!hasWorktree(request)) await worktrees.repositoryOf(directory);
  await worktrees.restore(ownerOf(id), id, worktreeRequests(record()));
  return worktrees.setUp(ownerOf(id), id, run);
}

/** Null without one. */
export function ownWorktree({ worktrees, record }: Options): Worktree | null {
  return worktrees.of(ownerOf(record().id))[0] ?? null;
}

/** The agent's directory, for a prepared run. */
export function workDirectory(options: Options): string {
  return ownWorktree(options)?.path ?? options.record().request.directory;
}
