/** Where a task stands: one closed union, in upper case on the wire. */
import { z } from 'zod';

export const TaskStatus = z.enum([
  'PENDING',
  'RUNNING',
  /** Waits for a person, a quota or a pause after an error: `wait` says which. */
  'PAUSED',
  'STOPPED',
  /** The host runs tests and gates. */
  'TESTING',
  'COMPLETED',
  'FAILED',
  /** A limit was reached; a retry adds to what was used. */
  'EXHAUSTED',
]);
export type TaskStatus = z.infer<typeof TaskStatus>;

/** Nothing happens to such a task until a person asks for it. */
export const FINAL_STATUSES: readonly TaskStatus[] = [
  'STOPPED',
  'COMPLETED',
  'FAILED',
  'EXHAUSTED',
];

/** What a person may ask of a task, by where it stands. */
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
