/** Groups tasks by what they need from a person. Pure. */
import type { Tone } from '$lib/ui/tone.ts';
import type { Task } from '$shared/schema/tasks/task.ts';

export type TaskGroup = 'needs' | 'work' | 'waits' | 'ended';

export const GROUP_STYLE: Record<TaskGroup, { label: string; tone: Tone }> = {
  needs: { label: 'Needs you', tone: 'fail' },
  work: { label: 'Working', tone: 'work' },
  waits: { label: 'Waiting', tone: 'wait' },
  ended: { label: 'Ended', tone: 'idle' },
};

export const GROUPS = Object.keys(GROUP_STYLE) as readonly TaskGroup[];

/** The first matching group. */
export function groupOf(task: Pick<Task, 'status' | 'waiting_for_input'>): TaskGroup {
  if (task.waiting_for_input && task.status === 'PAUSED') return 'needs';
  switch (task.status) {
    case 'FAILED':
    case 'EXHAUSTED':
      return 'needs';
    case 'RUNNING':
    case 'TESTING':
      return 'work';
    case 'PENDING':
    case 'PAUSED':
      return 'waits';
    case 'STOPPED':
    case 'COMPLETED':
      return 'ended';
  }
  // A status that only a newer host knows.
  return 'waits';
}

/** Within groups: the longest wait for a person first, then the queue order, then the newest. */
export function groupTasks(tasks: readonly Task[]): Record<TaskGroup, Task[]> {
  const groups: Record<TaskGroup, Task[]> = { needs: [], work: [], waits: [], ended: [] };
  for (const task of tasks) groups[groupOf(task)].push(task);
  groups.needs.sort((a, b) => a.updated_at.localeCompare(b.updated_at));
  groups.work.sort((a, b) => (b.started_at ?? '').localeCompare(a.started_at ?? ''));
  groups.waits.sort((a, b) => place(a) - place(b) || b.created_at.localeCompare(a.created_at));
  groups.ended.sort((a, b) => ended(b).localeCompare(ended(a)));
  return groups;
}

function place({ queue_position: position }: Task): number {
  return position ?? Number.MAX_SAFE_INTEGER;
}

function ended({ completed_at: at, updated_at: updated }: Task): string {
  return at ?? updated;
}
