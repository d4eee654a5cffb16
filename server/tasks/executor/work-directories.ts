/** Where a task works: its own worktrees, and the directories it only reads. */
import { AppError } from '../../lib/app-error.ts';
import { realDirectory } from '../../lib/files/real-directory.ts';
import type { WorktreeRequest } from '../../worktrees/changing/create-worktree.ts';
import type { SetupRun } from '../../worktrees/changing/set-up-worktree.ts';
import type { Worktrees } from '../../worktrees/worktrees.ts';
import type { TaskPlan, TaskRecord } from '../stores/task-record.ts';
import type { SupervisorOptions } from './task-supervisor-options.ts';

type Options = Pick<SupervisorOptions, 'worktrees'> & { record: () => TaskRecord };

export interface WorkDirectories {
  cwd: string;
  /** Other directories it may see. */
  others: string[];
}

/** The worktrees a plan needs, that of its root first. */
export function worktreeRequests(name: string, plan: TaskPlan): WorktreeRequest[] {
  if (!plan.useWorktree) return [];
  const request = (repository: string, branch: string | null, base: string | null) => ({
    repository,
    name,
    branch,
    base,
  });
  const root = plan.isRepository
    ? [request(plan.rootFolder, plan.branchName, plan.baseBranch)]
    : [];
  const others = plan.projects
    .filter(({ access, path }) => access === 'write' && path !== plan.rootFolder)
    .map((project) =>
      request(project.path, project.branch_name ?? plan.branchName, project.base_branch ?? null),
    );
  return [...root, ...others];
}

/**
 * Refuses a directory that an agent would write to itself and that is no working tree (WT24). Throws
 * as `repositoryOf`.
 */
export async function requireUsable(
  { worktrees }: { worktrees: Pick<Worktrees, 'repositoryOf'> },
  { useWorktree, isRepository, rootFolder, projects }: TaskPlan,
): Promise<void> {
  const root = useWorktree && isRepository ? [] : [rootFolder];
  const others = useWorktree ? [] : projects.filter(({ access }) => access === 'write');
  const written = new Set([...root, ...others.map(({ path }) => path)]);
  for (const path of written) await worktrees.repositoryOf(path);
}

/**
 * Ensures that everything exists and is set up; false when `run.signal` ended it. Throws an AppError that
 * names what is missing or failed.
 */
export async function prepareWork({ worktrees, record }: Options, run: SetupRun): Promise<boolean> {
  const { id, name, plan } = record();
  const paths = [plan.rootFolder, ...plan.projects.map(({ path }) => path)];
  for (const path of paths) {
    if (realDirectory(path) === null) {
      throw new AppError(
        'project_missing',
        `${path} is no longer a directory; restore it, then try again`,
      );
    }
  }
  await requireUsable({ worktrees }, plan);
  await worktrees.restore(id, name, worktreeRequests(name, plan));
  return worktrees.setUp(id, name, run);
}

/** The agent's directories, for a prepared task. */
export function workDirectories({ worktrees, record }: Options): WorkDirectories {
  const { id, plan } = record();
  const ownWorktrees = worktrees.of(id);
  const placeOf = (path: string) =>
    ownWorktrees.find(({ repository }) => repository === (realDirectory(path)?.path ?? path))
      ?.path ?? path;
  const cwd = placeOf(plan.rootFolder);
  const others = plan.projects.map(({ path, access }) =>
    access === 'read' ? path : placeOf(path),
  );
  return { cwd, others: others.filter((path) => path !== cwd && path !== plan.rootFolder) };
}
