import type { AgentRequest, AttentionAnswer } from '$shared/schema/attention/attention.ts';
import { oneLine, plainText } from '$shared/rules/text/plain-text.ts';

/** An answer that needs a single press. */
export interface QuickChoice {
  label: string;
  /** Further explanation, or empty. */
  hint: string;
  kind: 'primary' | 'plain' | 'danger';
  body: AttentionAnswer;
}

/** The digits 1 to 9 on a keyboard. */
const MAX_CHOICES = 9;
/** Characters per button label. */
const LABEL_LENGTH = 40;

const PERMISSION: readonly QuickChoice[] = [
  { label: 'Allow', hint: '', kind: 'primary', body: { decision: 'allow' } },
  { label: 'Deny', hint: '', kind: 'danger', body: { decision: 'deny' } },
];

/**
 * The answers that need a single press; `request` is null when only the terminal can answer. None
 * for several questions, or for a question with several labels.
 */
export function quickChoices(request: AgentRequest | null): readonly QuickChoice[] {
  if (request === null) return [];
  const [question, ...others] = request.questions;
  if (question === undefined) return PERMISSION;
  if (others.length > 0 || question.multi_select || question.options.length > MAX_CHOICES)
    return [];
  return question.options.map(({ label, description }) => ({
    label: oneLine(label, LABEL_LENGTH),
    hint: plainText(description),
    kind: 'plain',
    body: { decision: 'allow', answers: { [question.question]: label } },
  }));
}
