/** What the tasks page shows, kept in its URL. Pure. */
import type { Task } from '$shared/schema/tasks/task.ts';
import type { TaskStatus } from '$shared/schema/tasks/task-status.ts';
import { STATUSES } from '../task-style.ts';

export type TaskLayout = 'list' | 'board';

export interface TaskFilter {
  layout: TaskLayout;
  status: TaskStatus | null;
  text: string;
}

/** Drops values that no task can have. */
export function readTaskFilter(query: URLSearchParams): TaskFilter {
  const status = query.get('status')?.toUpperCase();
  return {
    layout: query.get('layout') === 'board' ? 'board' : 'list',
    status: STATUSES.find((one) => one === status) ?? null,
    text: query.get('q') ?? '',
  };
}

export function writeTaskFilter(filter: TaskFilter): Record<string, string | null> {
  return {
    layout: filter.layout === 'list' ? null : filter.layout,
    status: filter.status?.toLowerCase() ?? null,
    q: filter.text.trim() === '' ? null : filter.text,
  };
}

/** Every word of the filter must be in name, branch, directory or description. */
export function passesFilter(
  task: Pick<Task, 'task_name' | 'description' | 'branch_name' | 'root_folder' | 'status'>,
  { status, text }: Pick<TaskFilter, 'status' | 'text'>,
): boolean {
  if (status !== null && task.status !== status) return false;
  const { task_name: name, description, branch_name: branch, root_folder: folder } = task;
  const all = [name, description, branch ?? '', folder].join('\n').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
