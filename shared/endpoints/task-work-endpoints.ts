/** The work of a task: its worktrees, their state, what it changed. */
import { z } from 'zod';
import { WorkDiffs, WorkStates } from '../schema/tasks/project.ts';
import type { Endpoint } from './endpoint.ts';
import { REMOVAL_ERRORS, TASK_BY_NAME, TASK_PATH, TaskMessage } from './task-params.ts';

export const TASK_WORK_ENDPOINTS = {
  deleteWorktree: {
    method: 'DELETE',
    path: `${TASK_PATH}/worktree`,
    summary: 'Remove the worktrees of a task but keep the task.',
    role: 'operator',
    ...TASK_BY_NAME,
    query: z.strictObject({ auto_stop: z.stringbool().default(false) }),
    responses: {
      200: TaskMessage.extend({
        task_preserved: z.literal(true),
        auto_stopped: z.boolean(),
        cleanup_performed: z.boolean(),
        git_cleanup: z.array(z.string()),
      }),
    },
    errors: ['task_unknown', 'wrong_task_status', 'no_worktree', ...REMOVAL_ERRORS],
  },
  getWorktree: {
    method: 'GET',
    path: `${TASK_PATH}/worktree`,
    summary: 'Get the state of the worktrees and what removing them would do.',
    role: 'viewer',
    ...TASK_BY_NAME,
    responses: { 200: WorkStates },
    errors: ['task_unknown', 'git_failed'],
  },
  getTaskDiff: {
    method: 'GET',
    path: `${TASK_PATH}/diff`,
    summary: 'Get the changes of a task since its branch started.',
    role: 'viewer',
    ...TASK_BY_NAME,
    responses: { 200: WorkDiffs },
    errors: ['task_unknown', 'git_failed'],
  },
} as const satisfies Record<string, Endpoint>;
