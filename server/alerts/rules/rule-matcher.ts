/** Which events a rule matches. */
import { readSubject, subjectRef } from '../../../shared/schema/events/subject.ts';
import type { EncodedEvent } from '../../events/event-log.ts';
import { eventSelector } from '../../events/event-stream.ts';
import type { Rule } from './rule.ts';

export interface Match {
  event: EncodedEvent;
  at: string;
  task: string | null;
  reason: string | null;
}

/** Events about deliveries. */
const OWN = 'alert.';

/**
 * The result is null for events the rule does not match. The caller checks the rule's cursor and
 * whether it is enabled.
 */
export function ruleMatcher(
  rule: Pick<Rule, 'types' | 'sessions' | 'tasks' | 'subjects' | 'reasons'>,
): (event: EncodedEvent) => Match | null {
  const { types, sessions } = rule;
  const tasks = (rule.tasks ?? []).map((id) => subjectRef({ kind: 'task', id }));
  const named = [...(rule.subjects ?? []), ...tasks];
  const subjects = named.length === 0 ? null : named;
  const selects = eventSelector({ types, sessions, subjects });
  return (event) => {
    if (event.type.startsWith(OWN) && !rule.types.includes(event.type)) return null;
    if (!selects(event)) return null;
    const { at, data } = JSON.parse(event.json) as { at: string; data: Record<string, unknown> };
    // An alert about an alert triggers no further one, or two rules would keep each other busy.
    if (event.type.startsWith(OWN) && String(data['type']).startsWith(OWN)) return null;
    const subject = readSubject(event.subject);
    const task = subject?.kind === 'task' ? subject.id : null;
    const reason = typeof data['reason'] === 'string' ? data['reason'] : null;
    if (rule.reasons !== null && !rule.reasons.some((one) => one === reason)) return null;
    return { event, at, task, reason };
  };
}
