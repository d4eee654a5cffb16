/**
 * Rules for questions that no person answers: set, tried on past questions, switched on by a
 * person.
 */
import type { AttentionItem } from '../../shared/schema/attention/attention.ts';
import type {
  QuestionRule,
  QuestionTrial,
  SetQuestionRule,
} from '../../shared/schema/attention/question-rule.ts';
import { type Subject, subjectRef } from '../../shared/schema/events/subject.ts';
import type { Attention } from '../attention/attention.ts';
import type { EventLog } from '../events/event-log.ts';
import { AppError } from '../lib/app-error.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import { canPark, isDue, ruleFor } from './decide-question.ts';
import { answerTo, askedBy } from './asked-item.ts';
import type { QuestionRuleStore } from './question-rule-store.ts';

/** Past questions in one trial. */
const TRIED = 1_000;

export interface QuestionRulesOptions {
  store: QuestionRuleStore;
  attention: Pick<Attention, 'list'>;
  log: EventLog;
  clock: Clock;
  /** The directory that a subject works in, '' where it is not known. */
  projectOf: (subject: Subject) => string;
}

export class QuestionRules {
  readonly #options: QuestionRulesOptions;
  readonly #changed: (() => void)[] = [];
  #rules: QuestionRule[];

  constructor(options: QuestionRulesOptions) {
    this.#options = options;
    this.#rules = options.store.all();
  }

  onChange(changed: () => void): void {
    this.#changed.push(changed);
  }

  get isAnyOn(): boolean {
    return this.#rules.some(({ is_on: isOn }) => isOn);
  }

  list(): QuestionRule[] {
    return this.#rules;
  }

  /** Replaces the one of that scope and kind. It is off until it was tried and switched on. */
  set(rule: SetQuestionRule, author: string): QuestionRule {
    const { clock } = this.#options;
    const fields = {
      ...rule,
      is_on: false,
      tried_at: null,
      author,
      changed_at: toIso(clock.now()),
    };
    const { scope, kind, action, after_minutes } = rule;
    const id = this.#options.log.write((append) => {
      const saved = this.#options.store.save(fields);
      const data = { rule_id: saved, scope, kind, action, after_minutes, author };
      append({ type: 'question.rule_set', data });
      return saved;
    });
    return this.#reload(id);
  }

  /** What it would have done, had it been on. Throws `rule_unknown`. */
  try(id: number): QuestionTrial {
    const { attention, log, store, clock, projectOf } = this.#options;
    const rule = this.#find(id);
    const others = this.#rules.filter((other) => other.is_on && other.id !== id);
    const past = attention.list({ open: false, limit: TRIED }).filter((item) => {
      const asked = askedBy(item, projectOf);
      return asked !== null && ruleFor([rule, ...others], asked)?.id === id;
    });
    const late = past.filter((item) => {
      const endMs = item.cleared_at === null ? clock.now() : Date.parse(item.cleared_at);
      return endMs - Date.parse(item.raised_at) >= rule.after_minutes * 60_000;
    });
    const tried = { ...rule, tried_at: toIso(clock.now()) };
    log.write(() => store.save(tried));
    return {
      rule: this.#reload(id),
      covered: past.length,
      in_time: past.length - late.length,
      decided: late.reverse().map((item) => ({
        item: item.id,
        subject: subjectRef(item.subject),
        title: item.title,
        raised_at: item.raised_at,
        ...outcomeOf(rule, item),
      })),
    };
  }

  /** Throws `rule_unknown`, and `rule_not_tried` for one that was not tried as it is. */
  switch(id: number, isOn: boolean, author: string): QuestionRule {
    const rule = this.#find(id);
    if (isOn && rule.tried_at === null) {
      const next = `try it first: loopwatch question try ${id}`;
      throw new AppError('rule_not_tried', `the rule was not tried on past questions; ${next}`);
    }
    const { scope, kind, action } = rule;
    this.#options.log.write((append) => {
      this.#options.store.save({ ...rule, is_on: isOn });
      const data = { rule_id: id, scope, kind, action, is_on: isOn, author };
      append({ type: 'question.rule_switched', data });
    });
    return this.#reload(id);
  }

  /** Throws `rule_unknown`. */
  remove(id: number, author: string): void {
    const { scope, kind, action } = this.#find(id);
    this.#options.log.write((append) => {
      this.#options.store.remove(id);
      append({ type: 'question.rule_removed', data: { rule_id: id, scope, kind, action, author } });
    });
    this.#load();
  }

  /** The rule that acts on an open item now; null: the item waits. `sinceMs`: wall time. */
  due(item: AttentionItem, sinceMs: number): QuestionRule | null {
    const { clock, projectOf } = this.#options;
    const asked = askedBy(item, projectOf);
    if (asked === null) return null;
    const on = this.#rules.filter(({ is_on: isOn }) => isOn);
    const rule = ruleFor(on, asked);
    return rule !== null && isDue(rule, sinceMs, clock.now()) ? rule : null;
  }

  #find(id: number): QuestionRule {
    const rule = this.#rules.find((each) => each.id === id);
    if (rule !== undefined) return rule;
    throw new AppError(
      'rule_unknown',
      'no rule with that id; list them with: loopwatch question ls',
    );
  }

  #reload(id: number): QuestionRule {
    this.#load();
    return this.#find(id);
  }

  #load(): void {
    this.#rules = this.#options.store.all();
    for (const changed of this.#changed) changed();
  }
}

function outcomeOf(
  { action }: QuestionRule,
  item: AttentionItem,
): Pick<QuestionTrial['decided'][number], 'outcome' | 'text'> {
  if (action === 'escalate') return { outcome: 'escalated', text: null };
  if (action === 'park') {
    return canPark(item.subject)
      ? { outcome: 'parked', text: null }
      : { outcome: 'waits', text: 'only tasks and runs can be parked' };
  }
  if (action === 'wait') return { outcome: 'waits', text: null };
  const answer = answerTo(item);
  return answer.kind === 'answer'
    ? { outcome: 'answered', text: answer.text }
    : { outcome: 'waits', text: answer.why };
}
