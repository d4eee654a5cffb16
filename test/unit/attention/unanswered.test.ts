/** Rules for questions that no person answers, on a real inbox: tried, switched on, and bound. */
import { expect, it } from 'vitest';
import { ruleFor } from '../../../server/questions/decide-question.ts';
import { QuestionRuleStore } from '../../../server/questions/question-rule-store.ts';
import { QuestionRules } from '../../../server/questions/question-rules.ts';
import { Unanswered } from '../../../server/questions/unanswered.ts';
import type {
  QuestionAction,
  QuestionKind,
} from '../../../shared/schema/attention/question-rule.ts';
import type { Subject } from '../../../shared/schema/events/subject.ts';
import { AttentionHome } from '../../support/agents/attention-home.ts';

const MINUTE_MS = 60_000;
const FIX: Subject = { kind: 'task', id: 'fix' };
const ASKS = 'Which colour do you want?\n1. Red\n2. Blue (recommended)';

function rig(home: AttentionHome) {
  const { attention, clock, database, log } = home;
  const did: string[] = [];
  const projectOf = ({ kind }: Subject) => (kind === 'task' ? '/srv/web' : '');
  const store = new QuestionRuleStore(database);
  const rules = new QuestionRules({ store, attention, log, clock, projectOf });
  const unanswered = new Unanswered({
    rules,
    attention,
    log,
    clock,
    logger: { warn: (error: unknown) => did.push(String(error)) } as never,
    say: (subject, text, by) => {
      did.push(`${subject.id} ${by}: ${text}`);
      attention.require(subject, null);
    },
    park: (subject, by) => did.push(`${subject.id} ${by} parked`),
  });
  const rule = (action: QuestionAction, scope = 'all', kind: QuestionKind = 'question') => {
    const { id } = rules.set({ scope, kind, action, after_minutes: 30 }, 'Ada');
    rules.try(id);
    return rules.switch(id, true, 'Ada');
  };
  const ask = (detail = ASKS, reason: QuestionKind = 'question', subject = FIX) =>
    attention.require(subject, { reason, title: 'The agent asks a question', detail });
  const wait = (minutes: number) => {
    clock.advance(minutes * MINUTE_MS);
    unanswered.check();
  };
  const events = (): { type: string; data: object }[] =>
    (
      database.raw
        .prepare("SELECT type, data FROM events WHERE type LIKE 'question.%' ORDER BY seq")
        .all() as { type: string; data: string }[]
    ).map(({ type, data }) => ({ type, data: JSON.parse(data) as object }));
  return { did, rules, unanswered, rule, ask, wait, events };
}

it('RE32 the closest rule of the kind holds', () => {
  const rule = (scope: string, kind: QuestionKind = 'question') =>
    ({ scope, kind, action: 'wait', after_minutes: 1 }) as const;
  const rules = [
    rule('all'),
    rule('project:/srv/web'),
    rule('task:fix'),
    rule('all', 'permission'),
  ];
  const of = (kind: QuestionKind, subject: Subject, project = '/srv/web') =>
    ruleFor(rules, { kind, subject, project })?.scope;
  expect(of('question', FIX)).toBe('task:fix');
  expect(of('question', { kind: 'run', id: 'fix' })).toBe('project:/srv/web');
  expect(of('question', { kind: 'session', id: 'web' }, '')).toBe('all');
  expect(of('permission', FIX)).toBe('all');
  expect(ruleFor(rules.slice(1, 3), { kind: 'permission', subject: FIX, project: '' })).toBeNull();
});

it('RE30 RE33 the default is sent once its time is over, recorded under its rule first', () => {
  using home = new AttentionHome();
  const { did, rule, ask, wait, events } = rig(home);
  rule('answer');
  ask();
  wait(29);
  expect(did).toEqual([]);
  wait(1);
  expect(did).toEqual(['fix rule 1: Take option 2, “Blue”.']);
  const answered = events().at(-1);
  expect(answered).toMatchObject({
    type: 'question.answered',
    data: {
      rule_id: 1,
      task: 'fix',
      answer: 'Take option 2, “Blue”.',
    },
  });
  wait(60);
  expect(did).toHaveLength(1);
});

it('RE33 what could not be recorded is decided at the next check', () => {
  using home = new AttentionHome();
  const { did, rule, ask, wait } = rig(home);
  rule('answer');
  ask();
  home.database.raw.pragma('query_only = ON');
  wait(30);
  expect(did).toHaveLength(1);
  home.database.raw.pragma('query_only = OFF');
  wait(1);
  wait(1);
  expect(did.slice(1)).toEqual(['fix rule 1: Take option 2, “Blue”.']);
});

it('RE33 a question that changes is another one: its time counts from then on', () => {
  using home = new AttentionHome();
  const { did, rule, ask, wait } = rig(home);
  rule('answer');
  ask();
  wait(20);
  ask('Which size do you want?');
  wait(20);
  expect(did).toEqual([]);
  wait(30);
  expect(did).toHaveLength(1);
  expect(did[0]).toContain('judgement');
});

it('RE31 a permission, and a question that may do harm, waits under any rule', () => {
  using home = new AttentionHome();
  const { did, rule, ask, wait, events } = rig(home);
  rule('answer');
  ask('May I run the tests?', 'permission');
  wait(60);
  ask('Shall I delete the production database?');
  wait(60);
  wait(60);
  expect(did).toEqual([]);
  expect(events().filter(({ type }) => type === 'question.answered')).toEqual([]);
});

it('RE34 escalation raises the priority of the item once, with an event for alerts', () => {
  using home = new AttentionHome();
  const { rule, ask, wait, events } = rig(home);
  rule('escalate', 'project:/srv/web', 'permission');
  ask('May I run the tests?', 'permission');
  wait(29);
  expect(home.open()[0]?.escalated_at).toBeUndefined();
  wait(1);
  wait(60);
  expect(home.open()[0]?.escalated_at).toBeDefined();
  const escalated = events().filter(({ type }) => type === 'question.escalated');
  expect(escalated).toMatchObject([{ data: { scope: 'project:/srv/web', task: 'fix' } }]);
});

it('RE35 parked work is stopped once; a terminal waits', () => {
  using home = new AttentionHome();
  const { did, rule, ask, wait } = rig(home);
  rule('park');
  ask();
  wait(30);
  wait(30);
  expect(did).toEqual(['fix rule 1 parked']);
});

it('RE36 a rule is tried on past questions before it is switched on, and again after a change', () => {
  using home = new AttentionHome();
  const { did, rules, ask, wait } = rig(home);
  for (const [detail, minutes] of [
    [ASKS, 45],
    ['Which size?', 10],
    ['Shall I delete the production database?', 90],
  ] as const) {
    ask(detail);
    wait(minutes);
    home.attention.require(FIX, null);
  }
  const body = { scope: 'all', kind: 'question', action: 'answer', after_minutes: 30 } as const;
  const { id } = rules.set(body, 'Ada');
  expect(() => rules.switch(id, true, 'Ada')).toThrow('was not tried');
  const trial = rules.try(id);
  expect(trial).toMatchObject({ covered: 3, in_time: 1 });
  expect(trial.decided.map(({ outcome }) => outcome)).toEqual(['waits', 'answered']);
  expect(trial.decided[1]?.text).toContain('“Blue”');
  expect(did).toEqual([]);
  expect(rules.switch(id, true, 'Ada').is_on).toBe(true);
  expect(rules.set({ ...body, after_minutes: 5 }, 'Ada')).toMatchObject({ id, is_on: false });
  expect(() => rules.switch(id, true, 'Ada')).toThrow('was not tried');
  rules.remove(id, 'Ada');
  expect(() => rules.try(id)).toThrow('no rule with that id');
});

it('RE36 nothing wakes the daemon while every rule is off', () => {
  using home = new AttentionHome();
  const { rules, unanswered, rule, ask, did } = rig(home);
  const before = home.clock.pending;
  unanswered.start();
  expect(home.clock.pending).toBe(before);
  const { id } = rule('answer');
  expect(home.clock.pending).toBe(before + 1);
  ask();
  home.clock.advance(31 * MINUTE_MS);
  expect(did).toHaveLength(1);
  rules.switch(id, false, 'Ada');
  expect(home.clock.pending).toBe(before);
});
