/** What a task that was created just before the daemon was killed is answered with. */
import type { TaskScheduler } from '../../../tasks/task-scheduler.ts';
import type { Tasks } from '../../../tasks/tasks.ts';
import { identityOf, type Recalls } from '../../endpoint-handler.ts';

export function taskRecalls({
  scheduler,
  tasks,
}: {
  scheduler: TaskScheduler;
  tasks: Tasks;
}): Recalls {
  return {
    /** Its start is made up for, unless someone has done something with the task since. */
    createTask: (written, { body, identity }) => {
      if (!written.some(({ type }) => type === 'task.created')) return null;
      const task = scheduler.find(body.task_name);
      if (task === null) return null;
      const { status, stage } = task.record.state;
      const isUntouched = status === 'PENDING' && stage === 'none';
      if (body.auto_start && isUntouched)
        tasks.start(task.record.name, identityOf({ identity }).name);
      return { status: 200, body: scheduler.view(task) };
    },
  };
}
