/** Asks the daemon for a step of a task. */
import type { Rest } from '$lib/client/rest.ts';
import type { Task } from '$shared/schema/tasks/task.ts';
import type { RetryMore } from './retry-more.ts';
import { retryQuery } from './retry-more.ts';
import type { TaskStep } from './task-steps.ts';

/** Git may have much to put aside. */
const TIMEOUT_MS = 120_000;

export interface StepChoice {
  /** What a retry adds. */
  more: RetryMore;
  /** Whether a removed task takes its worktree along. */
  removesWorktree: boolean;
}

export interface StepResult {
  message: string;
  /** What became of the work, in whole sentences. */
  work: readonly string[];
  /** The name of a task that was made. */
  made: string | null;
}

/** Takes a task, a step and what was chosen for it; gives what came of it. */
export async function runStep(
  rest: Rest,
  { task_name: task, status }: Task,
  step: TaskStep,
  { more, removesWorktree }: StepChoice,
): Promise<StepResult> {
  const options = { task, timeoutMs: TIMEOUT_MS };
  const said = (answer: { message: string }, work: readonly string[] = []): StepResult => ({
    message: answer.message,
    work,
    made: null,
  });
  switch (step) {
    case 'start':
      return said(await rest.call('startTask', options));
    case 'resume':
      return said(await rest.call('resumeTask', options));
    case 'stop':
      return said(await rest.call('stopTask', options));
    case 'recover':
      return said(await rest.call('recoverTask', options));
    case 'retry':
      return said(await rest.call('retryTask', { ...options, query: retryQuery(more) }));
    case 'clone': {
      const answer = await rest.call('cloneTask', options);
      return { ...said(answer), made: answer.new_task };
    }
    case 'clear': {
      const answer = await rest.call('clearAndRestartTask', options);
      return said(answer, answer.git_cleanup);
    }
    case 'dropWorktree': {
      const auto_stop = String(['RUNNING', 'PAUSED', 'TESTING'].includes(status));
      const answer = await rest.call('deleteWorktree', { ...options, query: { auto_stop } });
      return said(answer, answer.git_cleanup);
    }
    case 'delete': {
      const query = { cleanup_worktree: String(removesWorktree) };
      const answer = await rest.call('deleteTask', { ...options, query });
      return said(answer, answer.worktree_cleanup ?? []);
    }
  }
}
