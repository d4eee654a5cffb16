import { z } from 'zod';
import { TaskName } from '../../schema/tasks/task-name.ts';

/** The path parameter of a task, and the error for a name that cannot exist. */
export const TASK_BY_NAME = {
  params: z.object({ name: TaskName }),
  unknown: 'task_unknown',
} as const;

export const TASK_PATH = '/api/v1/tasks/by-name/:name';

export const REMOVAL_ERRORS = ['worktree_holds_work', 'git_failed'] as const;

export const TaskMessage = z.object({ message: z.string() });
