import { FINAL_STATUSES } from '../../shared/schema/tasks/task-status.ts';
import type { TaskRecord } from './stores/task-record.ts';

/** What open tasks cost so far and what completed ones cost, in millionths of a dollar, the latest last. */
export function taskCosts(records: readonly Pick<TaskRecord, 'state'>[]): {
  open: number[];
  completed: number[];
} {
  const states = records.map(({ state }) => state);
  const micros = (costUsd: number) => Math.round(costUsd * 1e6);
  const isOpen = ({ status, stage }: TaskRecord['state']) =>
    status === 'PENDING' ? stage === 'queued' : !FINAL_STATUSES.includes(status);
  return {
    open: states.filter(isOpen).map(({ costUsd }) => micros(costUsd)),
    completed: states
      .filter(({ status }) => status === 'COMPLETED')
      .sort((one, other) => (one.completedAt ?? '').localeCompare(other.completedAt ?? ''))
      .map(({ costUsd }) => micros(costUsd)),
  };
}
