/** The possible steps of a task, with their labels and explanations. Pure. */
import { takesAction } from '$shared/rules/work/task-actions.ts';
import { FINAL_STATUSES } from '$shared/schema/tasks/task-status.ts';
import type { Task } from '$shared/schema/tasks/task.ts';

export type TaskStep =
  'start' | 'stop' | 'resume' | 'retry' | 'recover' | 'clear' | 'dropWorktree' | 'delete';

interface StepText {
  label: string;
  busy: string;
  /** The confirmation: what it does, in a sentence. Null when none is needed. */
  question: { title: string; text: string } | null;
  /** The effects on the work are read and shown before confirmation. */
  touchesWork: boolean;
}

export const STEP_TEXT: Record<TaskStep, StepText> = {
  start: { ...plain('Start', 'Starting…') },
  resume: { ...plain('Resume', 'Resuming…') },
  retry: {
    ...plain('Retry…', 'Retrying…'),
    question: {
      title: 'Continue with higher limits?',
      text: 'These amounts are added to what was used. The conversation continues where it left off.',
    },
  },
  recover: {
    ...plain('Recover…', 'Recovering…'),
    question: {
      title: 'Continue in a new conversation?',
      text: 'The agent starts a new conversation seeded with the end of the old one. Files, branch and commits are kept.',
    },
  },
  stop: {
    ...plain('Stop…', 'Stopping…'),
    question: {
      title: 'Stop this task?',
      text: 'A queued task leaves the queue; an agent at work is stopped mid-work. Branch, worktree, files and conversation are kept; Resume continues from here.',
    },
    touchesWork: true,
  },
  clear: {
    ...plain('Clear and restart…', 'Restarting…'),
    question: {
      title: 'Clear the conversation and start over?',
      text: 'The conversation is deleted permanently. The work is saved under a backup ref, and the task starts again from its base.',
    },
    touchesWork: true,
  },
  dropWorktree: {
    ...plain('Remove worktree…', 'Removing…'),
    question: {
      title: 'Remove the worktree?',
      text: 'The directory is removed; the task and its conversation are kept.',
    },
    touchesWork: true,
  },
  delete: {
    ...plain('Delete…', 'Deleting…'),
    question: {
      title: 'Delete this task?',
      text: 'The task and its conversation are deleted permanently, and anything it runs is killed.',
    },
    touchesWork: true,
  },
};

function plain(label: string, busy: string): StepText {
  return { label, busy, question: null, touchesWork: false };
}

/** Whether it has ended and its work is on a branch of its own. */
export function mayMerge({ status, worktree_path, branch_name }: Task): boolean {
  return FINAL_STATUSES.includes(status) && worktree_path !== null && branch_name !== null;
}

/** The most likely first. */
export function stepsFor({ status, worktree_path, iterations, queue_position }: Task): {
  first: TaskStep[];
  more: TaskStep[];
} {
  // What is completed has nothing left to do: input resumes it, or a comment on its diff.
  const isDone = status === 'COMPLETED';
  // In the queue it is already started, and a stop takes it out.
  const isQueued = status === 'PENDING' && queue_position !== null;
  const first: TaskStep[] = isQueued
    ? ['stop']
    : (['start', 'resume', 'retry', 'recover', 'stop'] as const).filter(
        (step) => takesAction(step, status) && !(isDone && step === 'resume'),
      );
  const hasRun = status !== 'PENDING' || iterations > 0;
  const more: TaskStep[] = [];
  if (hasRun) more.push('clear');
  if (worktree_path !== null) more.push('dropWorktree');
  more.push('delete');
  return { first, more };
}
