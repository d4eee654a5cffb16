/** Rules for unanswered questions in words, the same on the page and in the shell. */
import type { EventData } from '../schema/events/events.ts';
import type {
  QuestionAction,
  QuestionRule,
  QuestionTrial,
} from '../schema/attention/question-rule.ts';
import { countText } from './count-text.ts';

export const ACTION_TEXT: Record<QuestionAction, string> = {
  wait: 'wait for a person',
  answer: 'answer the default',
  park: 'stop the work, so that other work continues',
  escalate: 'escalate in the inbox',
};

type Facts = Pick<QuestionRule, 'scope' | 'kind' | 'action' | 'after_minutes'>;

/** "Questions of task:fix: after 30 min answer the default". */
export function questionRuleText({ scope, kind, action, after_minutes: minutes }: Facts): string {
  const what = kind === 'question' ? 'Questions' : 'Permissions';
  const of = scope === 'all' ? '' : ` of ${scope}`;
  return `${what}${of}: after ${minutes} min ${ACTION_TEXT[action]}`;
}

/** "14 of 20 past questions would have been decided; a person answered 6 in time". */
export function trialText({ covered, in_time: inTime, decided }: QuestionTrial): string {
  const acted = decided.filter(({ outcome }) => outcome !== 'waits').length;
  const waits = decided.length - acted;
  const left = waits === 0 ? '' : `, ${waits} would still wait for a person`;
  return `${acted} of ${countText(covered, 'past question')} would have been decided; a person answered ${inTime} in time${left}`;
}

type Decided = EventData<'question.answered' | 'question.parked' | 'question.escalated'>;

/** "rule 3 after 30 min: Which database?" */
export function decidedText({ rule_id: rule, after_minutes: minutes, title }: Decided): string {
  return `by rule ${rule} after ${minutes} min: ${title}`;
}
