/** What a person reads of an item besides the agent's own words: the same in the shell and on the page. */
import type { AttentionItem, AttentionOutcome } from '../schema/attention.ts';
import { REASON_TEXT } from './reason-text.ts';
import { taskNextStep } from './task-next-step.ts';

export const OUTCOME_TEXT: Record<AttentionOutcome, string> = {
  answered: 'answered',
  resolved: 'resolved',
  dismissed: 'dismissed',
  gone: 'closed (its agent ended)',
};

const ENDING_TEXT: Record<AttentionOutcome, string> = {
  answered: 'Answered',
  resolved: 'Resolved: the agent continued',
  dismissed: 'Dismissed',
  gone: 'Closed: its agent ended',
};

/** Takes a cleared item; gives how it ended and by whom, as the beginning of a line. */
export function endingText({ outcome, by }: Pick<AttentionItem, 'outcome' | 'by'>): string {
  return `${ENDING_TEXT[outcome ?? 'resolved']}${by === null ? '' : ` by ${by}`}`;
}

/** Takes a session; gives the command that opens its terminal. A session's name needs no quotes. */
function attachCommand(session: string): string {
  return `loopwatch session attach ${session}`;
}

/** Takes an item; gives the name of whom it is about. */
export function whomText({ session, task }: Pick<AttentionItem, 'session' | 'task'>): string {
  return session ?? `task ${task ?? ''}`;
}

/** Takes an item; gives the command that opens its terminal, or shows its task. */
export function openCommand({ session, task }: Pick<AttentionItem, 'session' | 'task'>): string {
  return session === null ? `loopwatch task show ${task ?? ''}` : attachCommand(session);
}

/** Takes an item that cannot be answered here; gives what to do. */
export function nextStep({ reason, task }: Pick<AttentionItem, 'reason' | 'task'>): string {
  return task === null ? REASON_TEXT[reason].next : taskNextStep(reason);
}

/** Takes a cleared item; gives how it ended, by whom, and what was said. */
export function outcomeText({ outcome, by, answer }: AttentionItem): string {
  const who = by === null ? '' : ` by ${by}`;
  return `${OUTCOME_TEXT[outcome ?? 'resolved']}${who}${answer === null ? '' : `: ${answer}`}`;
}
