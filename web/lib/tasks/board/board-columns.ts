/** The columns of the board, and how the focus moves between their cards. Pure. */
import type { Task } from '$shared/schema/tasks/task.ts';
import type { TaskStatus } from '$shared/schema/tasks/task-status.ts';
import { STATUSES } from '../task-style.ts';

export interface BoardColumn {
  status: TaskStatus;
  /** The queue in its order, then the newest change first. */
  tasks: readonly Task[];
}

export function boardColumns(tasks: readonly Task[]): BoardColumn[] {
  // Last, statuses that only a newer host knows.
  const statuses = new Set([...STATUSES, ...tasks.map(({ status }) => status)]);
  return [...statuses].map((status) => ({
    status,
    tasks: tasks
      .filter((task) => task.status === status)
      .sort((a, b) => place(a) - place(b) || b.updated_at.localeCompare(a.updated_at)),
  }));
}

/** The card that an arrow key leads to from `name`; null at an edge. Empty columns are skipped. */
export function cardBeside(
  columns: readonly BoardColumn[],
  name: string,
  key: string,
): string | null {
  const filled = columns.filter(({ tasks }) => tasks.length > 0);
  const x = filled.findIndex(({ tasks }) => tasks.some((task) => task.task_name === name));
  const column = filled[x]?.tasks ?? [];
  const y = column.findIndex((task) => task.task_name === name);
  const sideways = (step: -1 | 1) => {
    const tasks = filled[x + step]?.tasks ?? [];
    return tasks[Math.min(y, tasks.length - 1)];
  };
  const moves: Record<string, () => Task | undefined> = {
    ArrowDown: () => column[y + 1],
    ArrowUp: () => column[y - 1],
    ArrowRight: () => sideways(1),
    ArrowLeft: () => sideways(-1),
  };
  return (x === -1 ? null : moves[key]?.()?.task_name) ?? null;
}

function place({ queue_position: position }: Task): number {
  return position ?? Number.MAX_SAFE_INTEGER;
}
