/** Which of many supervisors may try first when they wait for one quota. */
import { expect, it } from 'vitest';
import type { BudgetHold } from '../../../server/budgets/budgeted-work.ts';
import { NOTHING, type Now } from '../../../server/auto/machine/loop-state.ts';
import { transition } from '../../../server/auto/machine/transition.ts';
import { QuotaGate, type QuotaReport } from '../../../server/supervision/quota-gate.ts';
import { Life, POLICY, START_WALL } from '../../support/auto/loop-life.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import * as runs from '../../support/runs/run-life.ts';
import { failed, replied, TaskLife } from '../../support/tasks/task-life.ts';

const HOUR = 3_600_000;

it('LP24 lets one try first and alone, and the others follow at a distance', () => {
  const clock = new ManualClock();
  const gate = new QuotaGate(clock);
  expect(gate.admits('a')).toBe(true);
  gate.report('a', 'tried');
  clock.advance(HOUR);
  expect(gate.admits('b')).toBe(false);
  gate.report('a', 'opened');
  expect(gate.admits('b')).toBe(true);
  gate.report('b', 'tried');
  expect(gate.admits('c')).toBe(false);
  clock.advance(5_000);
  expect(gate.admits('c')).toBe(true);
});

it('LP24 holds the others after the first one failed or left', () => {
  const clock = new ManualClock();
  const gate = new QuotaGate(clock);
  gate.report('a', 'tried');
  gate.report('a', 'closed');
  expect(gate.admits('b')).toBe(false);
  clock.advance(60_000);
  expect(gate.admits('b')).toBe(true);
  gate.report('b', 'tried');
  gate.report('b', 'left');
  clock.advance(5_000);
  expect(gate.admits('c')).toBe(true);
});

const NUDGED: Now = {
  ...NOTHING,
  status: 'quota_wait',
  quota: { sinceMs: 0, untilMs: null, nudges: 1, nudgedAtMs: 0, workingSinceMs: null },
  wait: { reason: 'quota', since: '2026-01-01T00:00:00.000Z', until: null, evidence: [] },
};

/** What a loop in the middle of a nudge reports when that ends. */
function newsOf(input: Parameters<Life['meet']>[0]): QuotaReport[] {
  const { state } = new Life({}, NUDGED);
  if (state === null) throw new Error('the loop has ended');
  return transition(state, { ...input, ageMs: 1_000, wallMs: START_WALL, budget: null }, POLICY)
    .quota;
}

it.each<[QuotaReport, string, Parameters<Life['meet']>[0]]>([
  ['left', 'stopped', { kind: 'stop', reason: 'user_stop', by: 'person' }],
  ['left', 'agent_gone', { kind: 'terminal_gone', how: 'closed' }],
  [
    'closed',
    'not delivered',
    { kind: 'typed', cause: 'quota', delivery: 'failed', detail: 'program_changed' },
  ],
])('LP24 a loop reports %s when its nudge ends as %s', (news, _how, input) => {
  expect(newsOf(input)).toEqual([news]);
});

it('LP24 a task reports its try, the result, and that it waits no longer', () => {
  const life = TaskLife.talking();
  life.happen(failed('limit', 'heard', life.wallMs + 1_000));
  expect(life.quota).toEqual([]);
  life.wallMs += HOUR;
  life.happen({ kind: 'tick' }).happen({ kind: 'granted' }).happen({ kind: 'prepared' }).hear();
  expect(life.quota).toEqual(['tried']);
  life.happen(failed('limit', 'heard', life.wallMs + 1_000));
  expect(life.quota).toEqual(['tried', 'closed']);
  life.wallMs += HOUR;
  life.happen({ kind: 'tick' }).happen({ kind: 'granted' }).happen({ kind: 'prepared' }).hear();
  life.happen(replied());
  expect(life.quota).toEqual(['tried', 'closed', 'tried', 'opened']);
});

const SPENT: BudgetHold = { reason: 'budget', kind: 'spent', text: 'spent', untilMs: null };
const RESERVE: BudgetHold = { ...SPENT, reason: 'reserve', untilMs: 5_000_000_000_000 };
const HOLDS: [string, BudgetHold][] = [
  ['a spent budget', SPENT],
  ['a shared budget', { ...SPENT, kind: 'shared' }],
  ['what is kept', RESERVE],
];

/** Whether another one may try, 5 s after that news. */
function admitsAnother(news: readonly QuotaReport[]): boolean {
  const clock = new ManualClock();
  const gate = new QuotaGate(clock);
  for (const each of news) gate.report('a', each);
  clock.advance(5_000);
  return gate.admits('b');
}

it.each(HOLDS)('TK9 a task held back by %s before its try lets another one try', (_by, hold) => {
  const life = TaskLife.talking();
  life.happen(failed('limit', 'heard', life.wallMs + 1_000));
  life.wallMs += HOUR;
  life.happen({ kind: 'tick' }).happen({ kind: 'granted' });
  expect([life.quota, admitsAnother(life.quota)]).toEqual([['tried'], false]);
  life.budget = hold;
  life.happen({ kind: 'prepared' });
  expect(life.state).toMatchObject({ isLimited: true, turn: null });
  expect([life.quota, admitsAnother(life.quota)]).toEqual([['tried', 'left'], true]);
});

it.each(HOLDS)('RN20 a run held back by %s before its try lets another one try', (_by, hold) => {
  const life = runs.RunLife.in('execute');
  life.happen(runs.failed('limit', 'heard', life.wallMs + 1_000));
  life.wallMs += HOUR;
  life.happen({ kind: 'tick' }).happen({ kind: 'granted' });
  expect([life.quota, admitsAnother(life.quota)]).toEqual([['tried'], false]);
  life.budget = hold;
  life.happen({ kind: 'prepared' });
  expect([life.state.isLimited, life.message]).toEqual([true, null]);
  expect([life.quota, admitsAnother(life.quota)]).toEqual([['tried', 'left'], true]);
});

it('FP7, TK9 a task and a run that answered and wait for what is kept let another one try', () => {
  const task = TaskLife.talking({ isLimited: true, hasCriteria: false });
  task.budget = RESERVE;
  expect(task.happen(replied()).state).toMatchObject({ reason: 'reserve', isLimited: true });
  expect(task.quota).toEqual(['tried', 'left']);
  const run = new runs.RunLife({}, { isLimited: true }).begin().hear();
  run.budget = task.budget;
  expect(run.happen(runs.replied()).place).toBe('execute waiting reserve');
  expect([run.state.isLimited, run.quota]).toEqual([true, ['tried', 'left']]);
});
