/**
 * Where a queued task can go by its own priority. The daemon starts the higher priority first and,
 * of equal ones, the one that was queued first; so between two tasks of equal priority there may be
 * no place for it. Pure.
 */
import type { Task } from '$shared/schema/tasks/task.ts';

export type QueuedTask = Pick<
  Task,
  'id' | 'task_name' | 'status' | 'priority' | 'queue_position' | 'wait'
>;

export interface QueueMove {
  priority: number;
  /** How many tasks are before it then. */
  before: number;
}

/** The bounds of a priority. */
const LOWEST = -100;
const HIGHEST = 100;

export function queueOf<Queued extends QueuedTask>(tasks: readonly Queued[]): Queued[] {
  return tasks
    .filter((task) => task.queue_position !== null)
    .sort((a, b) => (a.queue_position ?? 0) - (b.queue_position ?? 0));
}

/** Each place it can have, with the smallest change that leads there; its own place is one of them. */
export function queueMoves(task: QueuedTask, queue: readonly QueuedTask[]): QueueMove[] {
  const urgent = urgentCount(queue);
  const place = placeIn(queue, task);
  if (place < urgent) return [];
  const others = queue.filter(({ id }) => id !== task.id).slice(urgent);
  const amounts = new Set(others.flatMap(({ priority }) => [priority - 1, priority, priority + 1]));
  const moves = new Map([[place, { priority: task.priority, before: place }]]);
  const change = ({ priority }: QueueMove) => Math.abs(priority - task.priority);
  for (const priority of amounts) {
    if (priority < LOWEST || priority > HIGHEST) continue;
    const ahead = others.filter((other) =>
      other.priority === priority ? isEarlier(other, task) : other.priority > priority,
    );
    const move = { priority, before: urgent + ahead.length };
    const known = moves.get(move.before);
    if (known === undefined || change(move) < change(known)) moves.set(move.before, move);
  }
  return [...moves.values()].sort((a, b) => a.before - b.before);
}

/** The next place ahead; null if there is none. */
export function raised(task: QueuedTask, queue: readonly QueuedTask[]): QueueMove | null {
  const place = placeIn(queue, task);
  return queueMoves(task, queue).findLast(({ before }) => before < place) ?? null;
}

/** The next place behind; null if there is none. */
export function lowered(task: QueuedTask, queue: readonly QueuedTask[]): QueueMove | null {
  const place = placeIn(queue, task);
  return queueMoves(task, queue).find(({ before }) => before > place) ?? null;
}

/**
 * The nearest possible place to a gap between the other queued tasks of its column, which need not
 * be all queued ones. `gap` is the number of them before it.
 */
export function moveToGap(
  task: QueuedTask,
  queue: readonly QueuedTask[],
  column: readonly QueuedTask[],
  gap: number,
): { priority: number; gap: number } | null {
  const others = queue.filter(({ id }) => id !== task.id);
  const shown = queueOf(column).filter(({ id }) => id !== task.id);
  const wanted = Math.min(gap, shown.length);
  const options = queueMoves(task, queue).map(({ priority, before }) => ({
    priority,
    gap: shown.filter((other) => placeIn(others, other) < before).length,
  }));
  const distance = (option: { gap: number }) => Math.abs(option.gap - wanted);
  const change = ({ priority }: { priority: number }) => Math.abs(priority - task.priority);
  return options.sort((a, b) => distance(a) - distance(b) || change(a) - change(b))[0] ?? null;
}

/**
 * A task that a person has just written to is first with any priority. The contract does not
 * name these tasks; a lower priority before a higher one gives them away.
 */
function urgentCount(queue: readonly QueuedTask[]): number {
  return (
    1 + queue.findLastIndex((task, n) => task.priority < (queue[n + 1]?.priority ?? -Infinity))
  );
}

function isEarlier(one: QueuedTask, other: QueuedTask): boolean {
  const [a, b] = [one.wait?.since, other.wait?.since];
  // The wait of a queued task began when it was queued.
  if (a === undefined || b === undefined) {
    return (one.queue_position ?? 0) < (other.queue_position ?? 0);
  }
  return a === b ? one.id < other.id : a < b;
}

function placeIn(queue: readonly QueuedTask[], { id }: QueuedTask): number {
  return queue.findIndex((task) => task.id === id);
}
