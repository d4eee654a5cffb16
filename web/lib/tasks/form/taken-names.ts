import type { Rest } from '$lib/client/rest.ts';
import type { Task } from '$shared/schema/tasks/task.ts';

/** The most one answer holds. */
const LISTED = { limit: '1000' };

/** Names of existing tasks, newest first; none if they cannot be read: the daemon reports a taken one. */
export async function takenNames(rest: Rest): Promise<string[]> {
  const tasks = await rest.call('listTasks', { query: LISTED }).catch((): Task[] => []);
  return tasks.map(({ task_name: name }) => name);
}
