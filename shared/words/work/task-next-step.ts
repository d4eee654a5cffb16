import { reasonText } from '../reason-text.ts';
import type { Reason } from '../../schema/reasons.ts';

/** Replaces the general texts that mention a terminal or a loop. */
const FOR_TASKS: Partial<Record<Reason, string>> = {
  question: 'Send the task the answer.',
  permission: 'Send the task what it may do, or clone it with another permission mode.',
  login_needed:
    'Log the agent in on the daemon’s machine, then send the task an input, or recover it if it has ended.',
  timeout: 'Raise the time limit and retry the task.',
  max_iterations: 'Raise the iteration limit and retry the task.',
  max_tokens: 'Raise the token limit and retry the task.',
  max_cost: 'Raise the cost limit and retry the task.',
  api_error: 'Read the error, then recover the task.',
  agent_not_started:
    'Install the agent on the daemon’s machine or correct LOOPWATCH_CLAUDE (check with: loopwatch doctor), then recover the task.',
  agent_error: 'Read the error and remove its cause, then send the task an input.',
  overloaded: 'Recover the task once the model answers again.',
  restored: 'The database came from a backup. Resume the task if it should continue.',
  crashed: 'Read the error, then recover the task.',
  corrupt_record: 'Clear and restart the task, or delete it; its work is kept.',
  user_stop: 'Resume the task when you are ready.',
};

export function taskNextStep(reason: Reason): string {
  return FOR_TASKS[reason] ?? reasonText(reason).next;
}
