/** Texts for an inbox item, apart from the agent's own: the same in the shell and on the page. */
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

/** The beginning of a line about a closed item. */
export function endingText({ outcome, by }: Pick<AttentionItem, 'outcome' | 'by'>): string {
  return `${ENDING_TEXT[outcome ?? 'resolved']}${by === null ? '' : ` by ${by}`}`;
}

/** A session's name needs no quotes. */
function attachCommand(session: string): string {
  return `loopwatch session attach ${session}`;
}

export function whomText({ session, task }: Pick<AttentionItem, 'session' | 'task'>): string {
  return session ?? `task ${task ?? ''}`;
}

/** Opens the item's terminal, or shows its task. */
export function openCommand({ session, task }: Pick<AttentionItem, 'session' | 'task'>): string {
  return session === null ? `loopwatch task show ${task ?? ''}` : attachCommand(session);
}

/** What a person can do about a loop that failed, the usual step first. */
export function failedLoopCommands(session: string): string[] {
  return [`loopwatch loop restart ${session}`, `loopwatch loop stop ${session}   # removes it`];
}

/** For an item that cannot be answered here. */
export function nextStep({ reason, task }: Pick<AttentionItem, 'reason' | 'task'>): string {
  return task === null ? REASON_TEXT[reason].next : taskNextStep(reason);
}

export function outcomeText({ outcome, by, answer }: AttentionItem): string {
  const who = by === null ? '' : ` by ${by}`;
  return `${OUTCOME_TEXT[outcome ?? 'resolved']}${who}${answer === null ? '' : `: ${answer}`}`;
}
