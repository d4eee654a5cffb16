import type { Work } from '../../usage/usage-entry.ts';
import type { TaskRecord } from '../stores/task-record.ts';

/** What the usage of its turns and verdicts counts for. */
export function taskWork({ name, plan, createdBy }: TaskRecord): Work {
  return {
    subject: { kind: 'task', id: name },
    project: plan.rootFolder,
    person: createdBy ?? '',
  };
}
