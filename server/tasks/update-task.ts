import type { UpdateTask } from '../../shared/schema/tasks/task.ts';
import { AppError } from '../lib/app-error.ts';
import { requireDependencies, requireFreeNames } from './create-task.ts';
import { requireProject } from '../projects/require-project.ts';
import { changedCriteria } from './criteria/end-criteria.ts';
import type { TaskPlan, TaskRecord } from './stores/task-record.ts';

/** Fields that decide where a task works; its worktrees are created for them. */
const PLACES = ['root_folder', 'branch_name', 'base_branch', 'projects'] as const;

/** The first field of a change that affects where the task works. */
export function changedLocation(change: UpdateTask): string | undefined {
  return PLACES.find((field) => change[field] !== undefined);
}

/**
 * The new plan. Throws `wrong_task_status` when a change affects where the task works after it has
 * begun.
 */
export function changedPlan(
  { id, name, plan, state }: TaskRecord,
  change: UpdateTask,
  tasks: readonly TaskRecord[],
  roots: readonly string[],
): TaskPlan {
  const others = tasks.filter((task) => task.id !== id);
  const place = changedLocation(change);
  if (place !== undefined && (state.status !== 'PENDING' || state.stage !== 'none')) {
    const message = `${place}: ${name} has already started; clone it to work elsewhere`;
    throw new AppError('wrong_task_status', message);
  }
  const changed: TaskPlan = {
    ...plan,
    description: change.description || plan.description,
    rootFolder:
      change.root_folder === undefined
        ? plan.rootFolder
        : requireProject(change.root_folder, roots),
    branchName: change.branch_name ?? plan.branchName,
    baseBranch: change.base_branch ?? plan.baseBranch,
    gitRepo: change.git_repo ?? plan.gitRepo,
    criteria:
      change.end_criteria_config === undefined
        ? plan.criteria
        : changedCriteria(plan.criteria, change.end_criteria_config),
    projects:
      change.projects?.map((project) => ({
        ...project,
        path: requireProject(project.path, roots),
      })) ?? plan.projects,
    projectContext: change.project_context ?? plan.projectContext,
    customHumanInput: change.custom_human_input ?? plan.customHumanInput,
    permissionMode: change.permission_mode ?? plan.permissionMode,
    priority: change.priority ?? plan.priority,
    dependsOn: change.depends_on ?? plan.dependsOn,
  };
  if (change.depends_on !== undefined) requireDependencies(name, changed.dependsOn, others);
  requireFreeNames(changed, others);
  return changed;
}
