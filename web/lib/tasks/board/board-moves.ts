/** What dropping a task on a column of the board does, and the same moves for its menu. Pure. */
import { badgeFor } from '$lib/ui/tone.ts';
import type { Task } from '$shared/schema/tasks/task.ts';
import type { TaskStatus } from '$shared/schema/tasks/task-status.ts';
import { waitText } from '../wait-text.ts';
import { STATUS_STYLE } from '../task-style.ts';
import { STEP_TEXT, stepsFor, type TaskStep } from '../work/task-steps.ts';
import { lowered, moveToGap, type QueuedTask, queueOf, raised } from './queue-priority.ts';

export type BoardMove = { step: TaskStep } | { priority: number };

/** `gap`: how many queued cards of the column are before it then. */
export type Drop = { step: TaskStep } | { priority: number; gap: number };

/** The step that leads from its status to that column, if the task offers one. */
export function stepInto(task: Task, column: TaskStatus): TaskStep | null {
  const { first } = stepsFor(task);
  if (column === 'RUNNING') return first.find((step) => step !== 'stop') ?? null;
  return column === 'STOPPED' ? (first.find((step) => step === 'stop') ?? null) : null;
}

/** Whether a drop on its own column would change its place in the queue. */
function isSortedIn(task: QueuedTask, column: TaskStatus): boolean {
  return task.status === column && task.queue_position !== null;
}

/** Null: it cannot be dropped there, or a drop there changes nothing. */
export function dropOn(
  task: Task,
  column: { status: TaskStatus; tasks: readonly Task[] },
  gap: number,
  all: readonly Task[],
): Drop | null {
  if (isSortedIn(task, column.status)) {
    const move = moveToGap(task, queueOf(all), column.tasks, gap);
    return move === null || move.priority === task.priority ? null : move;
  }
  const step = stepInto(task, column.status);
  return step === null ? null : { step };
}

export function stepLabel(step: TaskStep): string {
  return STEP_TEXT[step].label.replace('…', '');
}

/** A queued task can be stopped, whether its priority leads anywhere or not. */
export function hasMoves(task: Task): boolean {
  return stepsFor(task).first.length > 0;
}

/** In the order of the menu; empty when nothing can be done from here. */
export function menuMoves(task: Task, all: readonly Task[]): { label: string; move: BoardMove }[] {
  const queue = queueOf(all);
  const steps = stepsFor(task).first.map((step) => ({
    label: STEP_TEXT[step].label,
    move: { step },
  }));
  if (task.queue_position === null) return steps;
  const up = raised(task, queue);
  const down = lowered(task, queue);
  return [
    ...steps,
    ...(up === null
      ? []
      : [{ label: `Raise priority to ${up.priority}`, move: { priority: up.priority } }]),
    ...(down === null
      ? []
      : [{ label: `Lower priority to ${down.priority}`, move: { priority: down.priority } }]),
  ];
}

/** Where a task is now, for announcements: "a: Pending, priority 7, 2nd in queue". */
export function placeText(task: Task): string {
  const parts = [
    badgeFor(STATUS_STYLE, task.status).label,
    task.queue_position === null ? null : `priority ${task.priority}`,
    waitText(task),
  ];
  return `${task.task_name}: ${parts.filter((part) => part !== null).join(', ')}`;
}
