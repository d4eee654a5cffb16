/** An item of the inbox as a question: what asks, and its default answer. */
import type { AttentionItem } from '../../shared/schema/attention/attention.ts';
import type { Subject } from '../../shared/schema/events/subject.ts';
import {
  type DefaultAnswer,
  defaultAnswer,
  defaultChoices,
} from '../policy/reply/default-answer.ts';
import type { Asked } from './decide-question.ts';

/** Null for an item that asks nothing. */
export function askedBy(
  { reason, subject }: Pick<AttentionItem, 'reason' | 'subject'>,
  projectOf: (subject: Subject) => string,
): Asked | null {
  if (reason !== 'question' && reason !== 'permission') return null;
  return { kind: reason, subject, project: projectOf(subject) };
}

/** A dialog in a terminal that is not a request is never answered. */
export function answerTo({
  subject,
  reason,
  request,
  title,
  detail,
}: Pick<AttentionItem, 'subject' | 'reason' | 'request' | 'title' | 'detail'>): DefaultAnswer {
  if (reason !== 'question') return { kind: 'person', why: 'it asks for a permission' };
  if (request !== null) return defaultChoices(request);
  if (subject.kind === 'task' || subject.kind === 'run') return defaultAnswer(detail ?? title);
  return { kind: 'person', why: 'it can only be answered in the terminal' };
}

/** Equal for exactly the same question. */
export function printOf({ id, reason, title, detail }: AttentionItem): string {
  return JSON.stringify([id, reason, title, detail]);
}
