/** Which rule decides about a question that no person has answered, and when. Pure. */
import type { QuestionKind, QuestionRule } from '../../shared/schema/attention/question-rule.ts';
import type { Subject } from '../../shared/schema/events/subject.ts';

/** An open question, or a past one. */
export interface Asked {
  kind: QuestionKind;
  subject: Subject;
  /** '' where it is not known. */
  project: string;
}

type Rule = Pick<QuestionRule, 'scope' | 'kind' | 'action' | 'after_minutes'>;

/** The closest rule holds: that of the work, then that of its project, then the one for all. */
export function ruleFor<Found extends Rule>(rules: readonly Found[], asked: Asked): Found | null {
  const ofKind = rules.filter(({ kind }) => kind === asked.kind);
  const { kind, id } = asked.subject;
  for (const scope of [`${kind}:${id}`, `project:${asked.project}`, 'all']) {
    const found = ofKind.find((rule) => rule.scope === scope);
    if (found !== undefined) return found;
  }
  return null;
}

/** Whether the rule acts by now on what was asked at `sinceMs`; wall times in milliseconds. */
export function isDue(rule: Rule, sinceMs: number, nowMs: number): boolean {
  return rule.action !== 'wait' && nowMs - sinceMs >= rule.after_minutes * 60_000;
}

/** Work that can be stopped and continued by a person. */
export function canPark({ kind }: Subject): boolean {
  return kind === 'task' || kind === 'run';
}
