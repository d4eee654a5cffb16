/** Input to a task at rest: it may resume the task. */
import { takesAction } from '../../shared/rules/work/task-actions.ts';
import type { SendTaskInput, SentTaskInput } from '../../shared/schema/tasks/task-input.ts';
import { AppError } from '../lib/app-error.ts';
import type { TaskConversation } from './task-conversation.ts';
import type { TaskScheduler } from './task-scheduler.ts';
import type { Tasks } from './tasks.ts';

/**
 * Stores the input before anything else. If the task cannot be resumed with it, the answer says why,
 * and the input stays queued. Throws `task_unknown`.
 */
export function sayToTask(
  { scheduler, tasks, talk }: { scheduler: TaskScheduler; tasks: Tasks; talk: TaskConversation },
  name: string,
  { resume, ...request }: SendTaskInput,
  author: string,
): SentTaskInput {
  const sent = talk.say(name, request, author);
  if (!resume || !takesAction('resume', scheduler.byName(name).record.state.status)) return sent;
  try {
    tasks.resume(name, author);
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return { ...sent, message: `queued; the task did not resume: ${thrown.message}` };
  }
  return {
    ...sent,
    message: 'queued; the task resumes with it',
    guaranteed_processing: true,
    immediate_processing: true,
    task_executor_restarted: true,
    processing_type: 'EXECUTOR_RESTART',
  };
}
