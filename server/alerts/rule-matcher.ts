/** Which events a rule is about. */
import type { EncodedEvent } from '../events/event-log.ts';
import { eventSelector } from '../events/event-stream.ts';
import type { Rule } from './rule.ts';

export interface Match {
  event: EncodedEvent;
  at: string;
  task: string | null;
  reason: string | null;
}

/** What deliveries are told as. */
const OWN = 'alert.';

/**
 * Takes a rule; gives the function that takes an event and gives what a delivery of it needs, or
 * null when the rule is not about it. The cursor and the switch of the rule are the caller's.
 */
export function ruleMatcher(
  rule: Pick<Rule, 'types' | 'sessions' | 'tasks' | 'reasons'>,
): (event: EncodedEvent) => Match | null {
  // What names tasks reads on: whose task it is stands in the data.
  const { types, tasks } = rule;
  const selects = eventSelector({ types, sessions: tasks === null ? rule.sessions : null });
  return (event) => {
    if (event.type.startsWith(OWN) && !rule.types.includes(event.type)) return null;
    if (!selects(event)) return null;
    const { at, data } = JSON.parse(event.json) as { at: string; data: Record<string, unknown> };
    // An alert about an alert is told of no further, or two rules would keep each other busy.
    if (event.type.startsWith(OWN) && String(data['type']).startsWith(OWN)) return null;
    const task = typeof data['task'] === 'string' ? data['task'] : null;
    if (tasks !== null && !isAbout(event.session, task, rule)) return null;
    const reason = typeof data['reason'] === 'string' ? data['reason'] : null;
    if (rule.reasons !== null && !rule.reasons.some((one) => one === reason)) return null;
    return { event, at, task, reason };
  };
}

function isAbout(
  session: string | null,
  task: string | null,
  { sessions, tasks }: Pick<Rule, 'sessions' | 'tasks'>,
): boolean {
  const isOfSession = session !== null && sessions?.includes(session) === true;
  return isOfSession || (task !== null && tasks?.includes(task) === true);
}
