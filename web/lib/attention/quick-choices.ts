import type { AgentRequest, AttentionAnswer } from '$shared/schema/attention.ts';
import { oneLine, plainText } from '$shared/rules/plain-text.ts';

/** An answer that needs no more than a press. */
export interface QuickChoice {
  label: string;
  /** More about it; empty when there is none. */
  hint: string;
  kind: 'primary' | 'plain' | 'danger';
  body: AttentionAnswer;
}

/** As many as there are digits on a keyboard. */
const MAX_CHOICES = 9;
/** Characters of a label on a button. */
const LABEL_LENGTH = 40;

const PERMISSION: readonly QuickChoice[] = [
  { label: 'Allow', hint: '', kind: 'primary', body: { decision: 'allow' } },
  { label: 'Deny', hint: '', kind: 'danger', body: { decision: 'deny' } },
];

/**
 * Takes what an agent asks, null where the terminal alone can answer; gives what one press can say to
 * it. Several questions, or several labels for one, need more room than a press.
 */
export function quickChoices(request: AgentRequest | null): readonly QuickChoice[] {
  if (request === null) return [];
  const [asked, ...others] = request.questions;
  if (asked === undefined) return PERMISSION;
  if (others.length > 0 || asked.multi_select || asked.options.length > MAX_CHOICES) return [];
  return asked.options.map(({ label, description }) => ({
    label: oneLine(label, LABEL_LENGTH),
    hint: plainText(description),
    kind: 'plain',
    body: { decision: 'allow', answers: { [asked.question]: label } },
  }));
}
