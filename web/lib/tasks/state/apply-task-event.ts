/** What an event says of a task, taken at once; numbers that are derived are read again. Pure. */
import type { EventRecord } from '$shared/schema/events.ts';
import type { TaskEvent } from '$shared/words/describe-task-event.ts';
import type { Task } from '$shared/schema/tasks/task.ts';

export type Tasks = Readonly<Record<string, Task>>;

/** Takes an event; tells whether it is of a task. */
export function isTaskEvent(event: EventRecord): event is EventRecord & TaskEvent {
  return event.type.startsWith('task.');
}

/** Takes tasks by name and an event of one; gives them after it. */
export function applyTaskEvent(tasks: Tasks, event: TaskEvent & { at: string }): Tasks {
  const { task: name } = event.data;
  const task = tasks[name];
  if (task === undefined) return tasks;
  switch (event.type) {
    case 'task.deleted':
      return Object.fromEntries(Object.entries(tasks).filter(([key]) => key !== name));
    case 'task.status': {
      const { status, reason, error } = event.data;
      // What it waits for and whom it needs belongs to where it stood.
      const left = status === task.status ? {} : { wait: null, waiting_for_input: false };
      const queue_position = status === 'PENDING' ? task.queue_position : null;
      const next = { ...task, ...left, status, reason, error_message: error, queue_position };
      return { ...tasks, [name]: { ...next, updated_at: event.at } };
    }
    case 'task.interaction': {
      // Of what the agent said.
      const isCounted = event.data.type === 'claude_response';
      const interaction_count = task.interaction_count + (isCounted ? 1 : 0);
      return { ...tasks, [name]: { ...task, interaction_count, updated_at: event.at } };
    }
    default:
      return tasks;
  }
}

/** Takes an event; tells whether what it changed can only be read. Words alone are not: most events are words. */
export function mustRead(event: TaskEvent): boolean {
  if (event.type === 'task.deleted') return false;
  return event.type !== 'task.interaction' || event.data.output_tokens !== null;
}

/** Takes an event; tells whether the places of other tasks in the queue may have changed. */
export function movesQueue(event: TaskEvent): boolean {
  return ['task.status', 'task.deleted', 'task.changed'].includes(event.type);
}
