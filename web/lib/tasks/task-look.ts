/** How a task stands. Pure. */
import type { Look } from '$lib/ui/tone.ts';
import { REASON_TEXT } from '$shared/words/reason-text.ts';
import type { Task } from '$shared/schema/tasks/task.ts';
import type { TaskStatus } from '$shared/schema/tasks/task-status.ts';

export const STATUS_LOOK: Record<TaskStatus, Look> = {
  PENDING: { label: 'Pending', tone: 'idle', mark: 'ring' },
  RUNNING: { label: 'Running', tone: 'work', mark: 'disc' },
  TESTING: { label: 'Testing', tone: 'work', mark: 'half' },
  PAUSED: { label: 'Paused', tone: 'wait', mark: 'clock' },
  EXHAUSTED: { label: 'Limit reached', tone: 'wait', mark: 'dash' },
  FAILED: { label: 'Failed', tone: 'fail', mark: 'cross' },
  COMPLETED: { label: 'Completed', tone: 'good', mark: 'tick' },
  STOPPED: { label: 'Stopped', tone: 'idle', mark: 'square' },
};

/** In the order of a task's life; what wants a look comes before what is over. */
export const STATUSES = Object.keys(STATUS_LOOK) as readonly TaskStatus[];

/** Takes a task; gives its look. That a person is asked says more than that it is paused. */
export function taskLook(task: Pick<Task, 'status' | 'waiting_for_input' | 'wait'>): Look {
  const look = STATUS_LOOK[task.status];
  if (task.status !== 'PAUSED') return look;
  if (task.waiting_for_input) return { label: 'Needs you', tone: 'fail', mark: 'half' };
  return task.wait === null ? look : { ...look, label: REASON_TEXT[task.wait.reason].label };
}
