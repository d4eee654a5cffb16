/** What a person may ask of a task. Free of schemas: the page reads it too. */
import type { TaskStatus } from '../schema/tasks/task-status.ts';

/** By where the task stands. */
export const TASK_ACTIONS = {
  start: ['PENDING'],
  stop: ['RUNNING', 'PAUSED', 'TESTING'],
  resume: ['STOPPED'],
  retry: ['EXHAUSTED'],
  recover: ['FAILED', 'EXHAUSTED', 'STOPPED'],
} as const satisfies Record<string, readonly TaskStatus[]>;
export type TaskAction = keyof typeof TASK_ACTIONS;

/** Takes an action and a status; tells whether a task that stands there takes it. */
export function takesAction(action: TaskAction, status: TaskStatus): boolean {
  const from: readonly TaskStatus[] = TASK_ACTIONS[action];
  return from.includes(status);
}
