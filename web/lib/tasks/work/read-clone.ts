/** Reads what the form of a copy is filled in with. */
import { asRequestError, RequestError } from '$lib/client/request-error.ts';
import type { Rest } from '$lib/client/rest.ts';
import { takenNames } from '../form/taken-names.ts';
import { prefillFromTask, type TaskPrefill } from '../form/task-prefill.ts';

export interface TaskClone {
  prefill: TaskPrefill;
  /** Names of existing tasks, newest first. */
  taken: readonly string[];
}

/** Throws a RequestError. */
export async function readClone(rest: Rest, name: string): Promise<TaskClone> {
  try {
    const [task, taken] = await Promise.all([
      rest.call('getTask', { task: name }),
      takenNames(rest),
    ]);
    return { prefill: prefillFromTask(task, taken), taken };
  } catch (thrown) {
    const error = asRequestError(thrown);
    if (error.code !== 'task_unknown') throw error;
    throw new RequestError(error.code, `${name} was deleted, so it cannot be cloned.`);
  }
}
