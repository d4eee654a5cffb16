/** Each status by word, shape and colour, so that none of them carries it alone. Pure. */
import type { Mark, Tone } from '$lib/ui/tone.ts';
import { REASON_TEXT } from '$shared/reason-text.ts';
import type { Task } from '$shared/tasks/task.ts';
import type { TaskStatus } from '$shared/tasks/task-status.ts';

export interface TaskLook {
  label: string;
  tone: Tone;
  mark: Mark;
}

export const STATUS_LOOK: Record<TaskStatus, TaskLook> = {
  PENDING: { label: 'Pending', tone: 'idle', mark: 'ring' },
  RUNNING: { label: 'Running', tone: 'work', mark: 'disc' },
  PAUSED: { label: 'Paused', tone: 'wait', mark: 'clock' },
  TESTING: { label: 'Testing', tone: 'work', mark: 'half' },
  COMPLETED: { label: 'Completed', tone: 'good', mark: 'tick' },
  STOPPED: { label: 'Stopped', tone: 'idle', mark: 'square' },
  EXHAUSTED: { label: 'Limit reached', tone: 'wait', mark: 'dash' },
  FAILED: { label: 'Failed', tone: 'fail', mark: 'cross' },
};

/** In the order of a task's life. */
export const STATUSES = Object.keys(STATUS_LOOK) as readonly TaskStatus[];

/** Takes a task; gives its look. That a person is asked says more than that it is paused. */
export function taskLook(task: Pick<Task, 'status' | 'waiting_for_input' | 'wait'>): TaskLook {
  const look = STATUS_LOOK[task.status];
  if (task.status !== 'PAUSED') return look;
  if (task.waiting_for_input) return { label: 'Needs you', tone: 'fail', mark: 'half' };
  return task.wait === null ? look : { ...look, label: REASON_TEXT[task.wait.reason].label };
}
