/** What a person can do with a task. Free of schemas: the page imports it. */
import type { TaskStatus } from '../../schema/tasks/task-status.ts';

/** The statuses that allow each action. */
export const TASK_ACTIONS = {
  start: ['PENDING'],
  stop: ['RUNNING', 'PAUSED', 'TESTING'],
  resume: ['STOPPED', 'COMPLETED'],
  retry: ['EXHAUSTED'],
  recover: ['FAILED', 'EXHAUSTED', 'STOPPED'],
} as const satisfies Record<string, readonly TaskStatus[]>;
export type TaskAction = keyof typeof TASK_ACTIONS;

export function takesAction(action: TaskAction, status: TaskStatus): boolean {
  const from: readonly TaskStatus[] = TASK_ACTIONS[action];
  return from.includes(status);
}
