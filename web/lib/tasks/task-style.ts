/** Badges for the status of a task. Pure. */
import { badgeFor, type BadgeStyle } from '$lib/ui/tone.ts';
import { reasonText } from '$shared/words/reason-text.ts';
import type { Task } from '$shared/schema/tasks/task.ts';
import type { TaskStatus } from '$shared/schema/tasks/task-status.ts';

export const STATUS_STYLE: Record<TaskStatus, BadgeStyle> = {
  PENDING: { label: 'Pending', tone: 'idle', mark: 'ring' },
  RUNNING: { label: 'Running', tone: 'work', mark: 'disc' },
  TESTING: { label: 'Testing', tone: 'work', mark: 'half' },
  PAUSED: { label: 'Paused', tone: 'wait', mark: 'clock' },
  EXHAUSTED: { label: 'Limit reached', tone: 'wait', mark: 'dash' },
  FAILED: { label: 'Failed', tone: 'fail', mark: 'cross' },
  COMPLETED: { label: 'Completed', tone: 'good', mark: 'tick' },
  STOPPED: { label: 'Stopped', tone: 'idle', mark: 'square' },
};

/** In the order of a task's life; statuses that need attention come before final ones. */
export const STATUSES = Object.keys(STATUS_STYLE) as readonly TaskStatus[];

/** A question to a person takes precedence over "paused". */
export function taskStyle(task: Pick<Task, 'status' | 'waiting_for_input' | 'wait'>): BadgeStyle {
  const badge = badgeFor(STATUS_STYLE, task.status);
  if (task.status !== 'PAUSED') return badge;
  if (task.waiting_for_input) return { label: 'Needs you', tone: 'fail', mark: 'half' };
  return task.wait === null ? badge : { ...badge, label: reasonText(task.wait.reason).label };
}
