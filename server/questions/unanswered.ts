/**
 * Acts on open questions whose time is over. Bound to the exact question: one that changes counts
 * from then on, and what was decided is decided once.
 */
import type { AttentionItem } from '../../shared/schema/attention/attention.ts';
import type { QuestionRule } from '../../shared/schema/attention/question-rule.ts';
import type { Subject } from '../../shared/schema/events/subject.ts';
import type { Attention } from '../attention/attention.ts';
import type { EventLog } from '../events/event-log.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { answerTo, printOf } from './asked-item.ts';
import { canPark } from './decide-question.ts';
import type { QuestionRules } from './question-rules.ts';

const CHECK_MS = 15_000;

export interface UnansweredOptions {
  rules: QuestionRules;
  attention: Pick<Attention, 'list' | 'answer' | 'escalate'>;
  log: EventLog;
  clock: Clock;
  logger: Log;
  /** Sends the text to a waiting task or run. */
  say: (subject: Subject, text: string, by: string) => void;
  /** Stops a task or run so that a person can continue it. */
  park: (subject: Subject, by: string) => void;
}

export class Unanswered {
  readonly #options: UnansweredOptions;
  /** Since when each open question is exactly this one, and whether it was decided. */
  #seen = new Map<string, { print: string; sinceMs: number; isDecided: boolean }>();
  #timer: Timer | null = null;

  constructor(options: UnansweredOptions) {
    this.#options = options;
  }

  /** From now on, until `dispose`; nothing wakes while every rule is off. */
  start(): void {
    this.#options.rules.onChange(() => this.#wait());
    this.#wait();
  }

  dispose(): void {
    this.#timer?.cancel();
  }

  check(): void {
    const { rules, attention, log, logger } = this.#options;
    if (!rules.isAnyOn) return;
    const items = attention.list({ open: true, limit: 1_000 });
    const before = this.#seen;
    this.#seen = new Map();
    for (const item of items) {
      const seen = this.#see(item, before.get(item.id));
      this.#seen.set(item.id, seen);
      const rule = seen.isDecided ? null : rules.due(item, seen.sinceMs);
      if (rule === null) continue;
      seen.isDecided = true;
      const { head } = log;
      try {
        this.#act(rule, item);
      } catch (error) {
        // What could not be recorded was not decided: the next check retries.
        seen.isDecided = log.head > head;
        logger.warn({ err: error, item: item.id, rule: rule.id }, 'the question was not decided');
      }
    }
  }

  #wait(): void {
    const { rules, clock } = this.#options;
    if (!rules.isAnyOn) {
      this.#timer?.cancel();
      this.#timer = null;
    } else {
      this.#timer ??= clock.after(CHECK_MS, () => {
        this.#timer = null;
        this.check();
        this.#wait();
      });
    }
  }

  #see(
    item: AttentionItem,
    known: { print: string; sinceMs: number; isDecided: boolean } | undefined,
  ) {
    const print = printOf(item);
    if (known?.print === print) return known;
    const raisedMs = Date.parse(item.raised_at);
    const sinceMs = known === undefined ? raisedMs : this.#options.clock.now();
    return { print, sinceMs, isDecided: false };
  }

  #act(rule: QuestionRule, item: AttentionItem): void {
    const { attention, say, park } = this.#options;
    const { subject } = item;
    const by = `rule ${rule.id}`;
    if (rule.action === 'escalate') {
      if (item.escalated_at === undefined) this.#record('question.escalated', rule, item);
      attention.escalate(item.id);
    } else if (rule.action === 'park') {
      if (!canPark(subject)) return;
      this.#record('question.parked', rule, item);
      park(subject, by);
    } else {
      const answer = answerTo(item);
      if (answer.kind === 'person') return;
      this.#record('question.answered', rule, item, { answer: answer.text });
      if (item.request === null) say(subject, answer.text, by);
      else attention.answer(item.id, { decision: 'allow', answers: answer.answers }, by);
    }
  }

  /** Before it acts, so that who decided is known even when the act fails. */
  #record(
    type: 'question.answered' | 'question.parked' | 'question.escalated',
    { id: rule_id, scope, after_minutes }: QuestionRule,
    { id: item, title, subject }: AttentionItem,
    more: object = {},
  ): void {
    const { kind, id } = subject;
    const about = kind === 'task' ? { task: id } : kind === 'run' ? { run: id } : {};
    const data = { rule_id, scope, item, title, after_minutes, ...about, ...more };
    const session = kind === 'session' ? { session: id } : {};
    this.#options.log.write((append) => append({ type, ...session, data } as never));
  }
}
