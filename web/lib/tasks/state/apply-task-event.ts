/** Applies an event to a task at once; derived numbers are read again. Pure. */
import type { EventRecord } from '$shared/schema/events/events.ts';
import type { Views } from '$shared/schema/events/protocol.ts';
import type { TaskEvent } from '$shared/words/events/describe-task-event.ts';
import type { Task } from '$shared/schema/tasks/task.ts';

export type Tasks = Readonly<Record<string, Task>>;

export function isTaskEvent(event: EventRecord): event is EventRecord & TaskEvent {
  return event.type.startsWith('task.');
}

export function applyTaskEvent(tasks: Tasks, event: TaskEvent & { at: string }): Tasks {
  const { task: name } = event.data;
  const task = tasks[name];
  if (task === undefined) return tasks;
  switch (event.type) {
    case 'task.deleted':
      return Object.fromEntries(Object.entries(tasks).filter(([key]) => key !== name));
    case 'task.status': {
      const { status, reason, error } = event.data;
      // Its wait and its need for a person belong to the previous status.
      const left = status === task.status ? {} : { wait: null, waiting_for_input: false };
      const queue_position = status === 'PENDING' ? task.queue_position : null;
      const next = { ...task, ...left, status, reason, error_message: error, queue_position };
      return { ...tasks, [name]: { ...next, updated_at: event.at } };
    }
    case 'task.interaction': {
      // Counts the agent's responses.
      const isCounted = event.data.type === 'claude_response';
      const interaction_count = task.interaction_count + (isCounted ? 1 : 0);
      return { ...tasks, [name]: { ...task, interaction_count, updated_at: event.at } };
    }
    default:
      return tasks;
  }
}

/** Shows what events changed; lists of tasks have no tests, so that known ones are kept. */
export function withTaskViews(
  known: Tasks,
  { tasks, queue }: Pick<Views, 'tasks' | 'queue'>,
): Tasks {
  const seen = tasks.map((task) => {
    const test_cases = known[task.task_name]?.test_cases ?? task.test_cases;
    return [task.task_name, { ...task, test_cases }] as const;
  });
  const next = { ...known, ...Object.fromEntries(seen) };
  if (queue === null) return next;
  const places = new Map(queue.map((place) => [place.task_name, place]));
  return Object.fromEntries(
    Object.entries(next).map(([name, task]) => {
      const place = places.get(name);
      if (place !== undefined) return [name, { ...task, ...place }];
      return [name, task.queue_position === null ? task : { ...task, queue_position: null }];
    }),
  );
}

/** Whether the task must be read again where no views follow. Not after most interactions. */
export function mustRead(event: TaskEvent): boolean {
  if (event.type === 'task.deleted') return false;
  return event.type !== 'task.interaction' || event.data.output_tokens !== null;
}

/** Whether the tests of the task, which views do not have, may have changed. */
export function changesTests(event: TaskEvent): boolean {
  const isCleared = event.type === 'task.status' && event.data.status === 'PENDING';
  return isCleared || event.type === 'task.tests';
}
