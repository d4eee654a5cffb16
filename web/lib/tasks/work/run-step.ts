/** Runs a step of a task through the daemon. */
import type { Rest } from '$lib/client/rest.ts';
import type { Task } from '$shared/schema/tasks/task.ts';
import type { RetryMore } from './retry-more.ts';
import { retryQuery } from './retry-more.ts';
import type { TaskStep } from './task-steps.ts';

/** Git may have a lot to save. */
const TIMEOUT_MS = 120_000;

export interface StepChoice {
  /** Added by a retry. */
  more: RetryMore;
  /** Whether deleting the task also removes its worktree. */
  removesWorktree: boolean;
}

export interface StepResult {
  message: string;
  /** What happened to the work, in full sentences. */
  work: readonly string[];
}

export async function runStep(
  rest: Rest,
  { task_name: task, status }: Task,
  step: TaskStep,
  { more, removesWorktree }: StepChoice,
): Promise<StepResult> {
  const options = { task, timeoutMs: TIMEOUT_MS };
  const toResult = (answer: { message: string }, work: readonly string[] = []): StepResult => ({
    message: answer.message,
    work,
  });
  switch (step) {
    case 'start':
      return toResult(await rest.call('startTask', options));
    case 'resume':
      return toResult(await rest.call('resumeTask', options));
    case 'stop':
      return toResult(await rest.call('stopTask', options));
    case 'recover':
      return toResult(await rest.call('recoverTask', options));
    case 'retry':
      return toResult(await rest.call('retryTask', { ...options, query: retryQuery(more) }));
    case 'clear': {
      const answer = await rest.call('clearAndRestartTask', options);
      return toResult(answer, answer.git_cleanup);
    }
    case 'dropWorktree': {
      const auto_stop = String(['RUNNING', 'PAUSED', 'TESTING'].includes(status));
      const answer = await rest.call('deleteWorktree', { ...options, query: { auto_stop } });
      return toResult(answer, answer.git_cleanup);
    }
    case 'delete': {
      const query = { cleanup_worktree: String(removesWorktree) };
      const answer = await rest.call('deleteTask', { ...options, query });
      return toResult(answer, answer.worktree_cleanup ?? []);
    }
  }
}
