/** The tasks of a list: filtered, sorted, one page of them. */
import type { TaskQuery } from '../../shared/schema/tasks/task.ts';
import type { TaskRecord } from './stores/task-record.ts';
import { outcomeOf } from './task-standing.ts';

/** Sort keys of lists; only listed tasks are looked up. */
const SORT_KEYS: Record<TaskQuery['sort_by'], (record: TaskRecord) => string | number> = {
  created_at: ({ createdAt }) => createdAt,
  updated_at: ({ updatedAt }) => updatedAt,
  task_name: ({ name }) => name,
  priority: ({ plan }) => plan.priority,
};

export function selectTasks<Of extends { record: TaskRecord }>(
  tasks: readonly Of[],
  { status, root_folder, name_filter, sort_by, sort_order, limit, offset }: TaskQuery,
): Of[] {
  const wanted = name_filter?.toLowerCase() ?? '';
  const sign = sort_order === 'asc' ? 1 : -1;
  const key = SORT_KEYS[sort_by];
  return tasks
    .filter(({ record }) => record.name.toLowerCase().includes(wanted))
    .filter(({ record }) => root_folder === undefined || record.plan.rootFolder === root_folder)
    .filter(
      ({ record }) =>
        status === undefined || [record.state.status, outcomeOf(record)].includes(status),
    )
    .sort((one, other) => sign * compare(key(one.record), key(other.record)))
    .slice(offset, offset + limit);
}

function compare(one: string | number, other: string | number): number {
  return one < other ? -1 : Number(one > other);
}
