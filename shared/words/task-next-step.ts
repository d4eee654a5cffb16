import { REASON_TEXT } from './reason-text.ts';
import type { Reason } from '../schema/reasons.ts';

/** What a person can do for a task, where the general words speak of a terminal or of a loop. */
const FOR_TASKS: Partial<Record<Reason, string>> = {
  question: 'Tell the task the answer.',
  permission: 'Tell the task what it may do, or give it another permission mode.',
  login_needed: 'Log the agent in on the machine of the daemon, then recover the task.',
  timeout: 'Retry the task with more minutes.',
  max_iterations: 'Retry the task with more iterations.',
  max_tokens: 'Retry the task with more tokens.',
  max_cost: 'Retry the task with more money.',
  api_error: 'Read the error, then recover the task.',
  agent_error: 'Read the error, then recover the task.',
  crashed: 'Read the error, then recover the task.',
  corrupt_record: 'Clear and restart the task, or delete it; its work is kept.',
  user_stop: 'Resume the task when you like.',
};

/** Takes why a task needs a person or stands where it stands; gives what they can do. */
export function taskNextStep(reason: Reason): string {
  return FOR_TASKS[reason] ?? REASON_TEXT[reason].next;
}
