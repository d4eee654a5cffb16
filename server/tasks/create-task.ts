/** Turns a request into a plan that can be executed, or a refusal that explains the problem. */
import type { CreateTask } from '../../shared/schema/tasks/task.ts';
import type { Project } from '../../shared/schema/tasks/project.ts';
import { AppError } from '../lib/app-error.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';
import { endCriteriaOf } from './criteria/end-criteria.ts';
import { requireProject } from '../projects/require-project.ts';
import type { WorkPlace } from '../supervision/work-places.ts';
import { findCycle } from '../supervision/schedule-queue.ts';
import { requireUsable } from './executor/work-directories.ts';
import type { TaskPlan, TaskRecord } from './stores/task-record.ts';

export interface PlanOptions {
  worktrees: Pick<Worktrees, 'repositoryOf'>;
  roots: readonly string[];
  defaultProject: string | null;
  defaultPermissions: TaskPlan['permissionMode'];
}

const OPEN: readonly string[] = ['PENDING', 'RUNNING', 'PAUSED', 'TESTING'];

/** Throws an AppError. */
export async function planTask(
  request: CreateTask,
  tasks: readonly TaskRecord[],
  options: PlanOptions,
): Promise<TaskPlan> {
  const name = request.task_name;
  requireNew(name, tasks);
  const projects = (request.projects ?? []).map((project) => ({
    ...project,
    path: requireProject(project.path, options.roots),
  }));
  const rootFolder = requireProject(rootOf(request, projects, options), options.roots);
  const repository = await options.worktrees.repositoryOf(rootFolder);
  const plan: TaskPlan = {
    description: request.description,
    rootFolder: repository?.root ?? rootFolder,
    branchName: request.branch_name ?? null,
    baseBranch: request.base_branch ?? null,
    gitRepo: repository?.remote ?? null,
    isRepository: repository !== null,
    useWorktree: request.use_worktree,
    criteria: endCriteriaOf(request),
    projects,
    projectContext: request.project_context ?? '',
    customHumanInput: null,
    permissionMode: request.permission_mode ?? options.defaultPermissions,
    priority: request.priority,
    dependsOn: request.depends_on,
  };
  await requireUsable(options, plan);
  requireFreeNames(plan, tasks);
  requireDependencies(name, plan.dependsOn, tasks);
  return plan;
}

/** Throws `task_exists`; names are compared case-insensitively. */
export function requireNew(name: string, tasks: readonly TaskRecord[]): void {
  if (!tasks.some((task) => task.name.toLowerCase() === name.toLowerCase())) return;
  throw new AppError('task_exists', `a task named ${name} already exists; choose another name`);
}

/** Throws when two tasks would work in one directory, or a plan lacks a worktree it needs. */
export function requireFreeNames(plan: TaskPlan, others: readonly TaskRecord[]): void {
  const writes = plan.projects.filter(({ access }) => access === 'write');
  if (!plan.useWorktree && writes.length > 1) {
    const next = 'keep use_worktree on';
    throw new AppError(
      'worktree_needed',
      `a task with several projects requires worktrees; ${next}`,
    );
  }
  if (!hasWorktree(plan) && plan.criteria.gates.length > 0) {
    const next = 'use a worktree in a git repository, or remove the gates';
    throw new AppError('worktree_needed', `gates run in a checkout of a commit; ${next}`);
  }
  if (!hasWorktree(plan)) requireAlone(plan, others);
}

/** Whether the task works in its own worktree rather than in the directory itself. */
export function hasWorktree({ useWorktree, isRepository }: TaskPlan): boolean {
  return useWorktree && isRepository;
}

/** Where tasks work in the directory itself. */
export function takenPlaces(tasks: readonly TaskRecord[]): WorkPlace[] {
  return tasks
    .filter((task) => !hasWorktree(task.plan) && isUnderWay(task))
    .map(({ name, plan }) => ({ name: `task ${name}`, directory: plan.rootFolder }));
}

export function isUnderWay({ state }: TaskRecord): boolean {
  return state.stage !== 'none';
}

/**
 * Throws `project_busy` when another task may work in the same directory as one without a worktree.
 */
export function requireAlone(plan: TaskPlan, others: readonly TaskRecord[]): void {
  const other = others.find(
    (task) => task.plan.rootFolder === plan.rootFolder && OPEN.includes(task.state.status),
  );
  if (other === undefined) return;
  const next = 'use a worktree, or wait until that task ends';
  const message = `${other.name} is already working in ${plan.rootFolder}; ${next}`;
  throw new AppError('project_busy', message);
}

/** Throws `dependency_unknown` or `dependency_cycle`. */
export function requireDependencies(
  name: string,
  dependsOn: readonly string[],
  tasks: readonly TaskRecord[],
): void {
  const missing = dependsOn.find((other) => !tasks.some((task) => task.name === other));
  if (missing !== undefined && missing !== name) {
    throw new AppError(
      'dependency_unknown',
      `no task named ${missing}; list them with: loopwatch task ls`,
    );
  }
  const others = new Map(tasks.map((task) => [task.name, task.plan.dependsOn]));
  const cycle = findCycle(name, dependsOn, others);
  if (cycle === null) return;
  throw new AppError(
    'dependency_cycle',
    `${cycle.join(' waits for ')}: none of them could ever start. Remove one of the dependencies`,
  );
}

/** The directories a request names, that of its root first. Throws as `planTask`. */
export function directoriesOf(
  request: CreateTask,
  options: Pick<PlanOptions, 'defaultProject' | 'roots'>,
): string[] {
  const { roots } = options;
  const projects = request.projects ?? [];
  const root = rootOf(request, projects, options);
  requireProject(root, roots);
  for (const { path } of projects) requireProject(path, roots);
  return [...new Set([root, ...projects.map(({ path }) => path)])];
}

function rootOf(
  request: CreateTask,
  projects: readonly Pick<Project, 'path' | 'access'>[],
  { defaultProject }: Pick<PlanOptions, 'defaultProject'>,
): string {
  const first = projects.find(({ access }) => access === 'write')?.path;
  const root = request.root_folder ?? request.project_path ?? first ?? defaultProject;
  if (root !== null) return root;
  throw new AppError('invalid_body', 'root_folder: pass the directory of the project');
}

/** A request for a task with the same description; branch, worktree and conversation are new. */
export function copyOf(plan: TaskPlan, name: string): CreateTask {
  const { criteria } = plan;
  return {
    task_name: name,
    description: plan.description,
    root_folder: plan.rootFolder,
    base_branch: plan.baseBranch,
    auto_start: false,
    use_worktree: plan.useWorktree,
    project_context: plan.projectContext,
    end_criteria: criteria.criteria,
    max_iterations: criteria.max_iterations,
    max_tokens: criteria.max_tokens,
    max_cost_usd: criteria.max_cost_usd,
    max_minutes: criteria.max_minutes,
    max_unchanged_turns: criteria.max_unchanged_turns,
    gates: criteria.gates,
    test_commands: criteria.test_commands,
    priority: plan.priority,
    projects: plan.projects.map(({ branch_name: _, ...project }) => project),
    depends_on: plan.dependsOn,
    permission_mode: plan.permissionMode,
  };
}
