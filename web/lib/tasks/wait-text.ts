/** Why a task does not continue right now, in one line. Pure. */
import { formatTime } from '$lib/ui/text/format-time.ts';
import { oneLine } from '$shared/rules/text/plain-text.ts';
import { capitalized } from '$shared/rules/text/capitalized.ts';
import { reasonText } from '$shared/words/reason-text.ts';
import type { Task } from '$shared/schema/tasks/task.ts';
import { ordinal } from '$lib/ui/text/amounts.ts';

type Subject = Pick<
  Task,
  'status' | 'reason' | 'wait' | 'queue_position' | 'depends_on' | 'waiting_for_input'
>;

const WHY_LENGTH = 140;

/** Its wait or reason; null when the status is enough. */
export function waitText(task: Subject): string | null {
  const { status, reason, wait } = task;
  if (status === 'PENDING') return pendingText(task);
  if (wait !== null) {
    const until = wait.until === null ? '' : ` until ${formatTime(wait.until)}`;
    const label = reasonText(wait.reason).label;
    return task.waiting_for_input ? `Waiting for a person: ${lower(label)}` : `${label}${until}`;
  }
  // The proof of completion is shown next to the name.
  if (reason === null || ['RUNNING', 'TESTING', 'COMPLETED'].includes(status)) return null;
  return reasonText(reason).label;
}

/** The same for a card, with the error of one that failed; '' when its status is enough. */
export function whyText(task: Task): string {
  const error = task.status === 'FAILED' ? task.error_message : null;
  const parts = [waitText(task), error].filter((part) => part !== null);
  return parts.map((part) => oneLine(part, WHY_LENGTH)).join(': ');
}

function pendingText({ queue_position: place, wait, depends_on: needs }: Subject): string {
  const isHeld = needs.length > 0 && (wait === null || wait.reason === 'dependency');
  const held = isHeld ? `waiting for ${needs.join(', ')}` : null;
  if (place === null && wait === null) {
    return held === null ? 'Not started yet' : `Not started yet, ${held}`;
  }
  const parts = [place === null ? null : `${ordinal(place)} in queue`, held].filter(
    (part) => part !== null,
  );
  if (parts.length === 0) return wait === null ? 'Waiting' : reasonText(wait.reason).label;
  return capitalized(parts.join(', '));
}

function lower(label: string): string {
  return label.charAt(0).toLowerCase() + label.slice(1);
}
