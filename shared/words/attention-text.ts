/** Texts for an inbox item, apart from the agent's own: the same in the shell and on the page. */
import type { AttentionItem, AttentionOutcome } from '../schema/attention/attention.ts';
import type { Reason } from '../schema/reasons.ts';
import { reasonText } from './reason-text.ts';
import { runNextStep } from './work/run-text.ts';
import { taskNextStep } from './work/task-next-step.ts';

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

type Whom = Pick<AttentionItem, 'session' | 'subject' | 'run_title'>;

export function whomText({ session, subject, run_title: title }: Whom): string {
  if (subject.kind === 'found') return `elsewhere, pid ${subject.id.split('-')[0] ?? ''}`;
  if (title !== undefined) return `run “${title}”`;
  return session ?? `${subject.kind} ${subject.id}`;
}

/** Opens the item's terminal, or shows its task, run or found session. */
export function openCommand({ session, subject }: Whom): string {
  if (subject.kind === 'found') return 'loopwatch session ls --all';
  return session === null ? `loopwatch ${subject.kind} show ${subject.id}` : attachCommand(session);
}

/** What a person can do about a loop that failed, the usual step first. */
export function failedLoopCommands(session: string): string[] {
  return [`loopwatch loop restart ${session}`, `loopwatch loop stop ${session}   # removes it`];
}

/** A dialog of the client is open. */
const ASKED: readonly Reason[] = [
  ...(['permission', 'question', 'dialog_open', 'trust_needed', 'setup_needed'] as const),
  ...(['settings_warning', 'bypass_warning', 'mcp_approval'] as const),
];

type Asked = Pick<AttentionItem, 'reason' | 'subject'> & Partial<Pick<AttentionItem, 'request'>>;

/** `request`: null for an item that only its terminal can answer; left out where that is unknown. */
export function nextStep({ reason, subject, request }: Asked): string {
  if (subject.kind === 'task') return taskNextStep(reason);
  if (subject.kind === 'found') {
    if (reason === 'crashed') return 'Continue its conversation with: claude --resume';
    return ASKED.includes(reason) ? 'Answer it where it runs.' : 'Continue it where it runs.';
  }
  if (subject.kind === 'run') return runNextStep(reason);
  // A loop waits for its quota without a person; an item says that waiting and a nudge did not help.
  if (reason === 'quota') return 'Open the terminal: the agent did not resume after its limit.';
  // Read from the screen: nothing on the page can answer it.
  if (reason === 'permission' && request === null)
    return 'Open the terminal: allow or deny it there.';
  return reasonText(reason).next;
}

export function outcomeText({ outcome, by, answer }: AttentionItem): string {
  const who = by === null ? '' : ` by ${by}`;
  return `${OUTCOME_TEXT[outcome ?? 'resolved']}${who}${answer === null ? '' : `: ${answer}`}`;
}
