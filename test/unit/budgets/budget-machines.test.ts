/** What a budget does to a task, a run and a loop: between two dispatches, never in the middle. */
import { expect, it } from 'vitest';
import type { BudgetHold } from '../../../server/budgets/budgeted-work.ts';
import { loopNeed } from '../../../server/auto/executor/loop-need.ts';
import { Life } from '../../support/auto/loop-life.ts';
import { RunLife } from '../../support/runs/run-life.ts';
import { NOTHING_USED, replied, TaskLife } from '../../support/tasks/task-life.ts';

const SPENT: BudgetHold = {
  reason: 'budget',
  kind: 'spent',
  text: 'Cost of today: $3.00 of $2.00',
  untilMs: null,
};
const SHARED: BudgetHold = { ...SPENT, kind: 'shared' };
const GRANTED = { kind: 'granted' } as const;
const CHANGED = { kind: 'budget_changed' } as const;

it('BG8 a task waits before its first turn, and continues after the raise', () => {
  const life = new TaskLife();
  life.happen({ kind: 'begin', author: 'Ada' });
  life.budget = SPENT;
  life.happen(GRANTED);
  expect(life.state).toMatchObject({ status: 'PAUSED', stage: 'waiting', reason: 'budget' });
  expect(life.state.wait?.evidence[0]?.lines).toEqual([SPENT.text]);
  // Raised, and not enough; also a person's words do not pass it.
  life.happen(CHANGED);
  expect(life.state.stage).toBe('waiting');
  life.happen({ kind: 'input', interrupt: false }).happen(GRANTED);
  expect(life.state.stage).toBe('waiting');
  life.budget = null;
  life.happen(CHANGED);
  expect(life.state).toMatchObject({ stage: 'queued', reason: null });
  life.happen(GRANTED).happen({ kind: 'prepared' });
  expect(life.state.stage).toBe('talking');
});

it('BG8 a task finishes its turn, then waits in line while others may use what is left', () => {
  const life = TaskLife.talking({ hasCriteria: false });
  life.budget = SHARED;
  life.happen(CHANGED);
  expect(life.state.stage).toBe('talking');
  life.happen(replied());
  expect(life.state).toMatchObject({ stage: 'queued', iterations: 1 });
  const other = TaskLife.talking({ hasCriteria: false });
  other.budget = SPENT;
  other.happen(replied());
  expect(other.state).toMatchObject({ stage: 'waiting', reason: 'budget', iterations: 1 });
});

it('BG8 a task whose budget is used up has its last reply judged after the raise, before its next turn', () => {
  const life = TaskLife.talking({ hasCriteria: true });
  life.budget = SPENT;
  life.happen(replied());
  expect(life.state).toMatchObject({ status: 'PAUSED', stage: 'waiting', reason: 'budget' });
  life.budget = null;
  life.happen(CHANGED).happen(GRANTED).happen({ kind: 'prepared' });
  expect([life.state.status, life.state.stage, life.last]).toEqual([
    'RUNNING',
    'judging',
    ['judge'],
  ]);
  const verdict = { isMet: false, confidence: 0.9, reasoning: 'the tests are missing' };
  life.happen({ kind: 'judged', verdict, usage: NOTHING_USED });
  expect([life.state.stage, life.last]).toEqual(['talking', ['send']]);
});

it('BG8 a person’s input replaces a verdict that waited for a budget', () => {
  const life = TaskLife.talking({ hasCriteria: true });
  life.budget = SPENT;
  life.happen(replied());
  life.budget = null;
  life.say('a').happen(GRANTED).happen({ kind: 'prepared' });
  expect(life.state.turn?.message).toMatchObject({ kind: 'input', inputId: 'a' });
  life.hear().happen(replied());
  expect([life.state.stage, life.last]).toEqual(['judging', ['judge']]);
});

it('BG8 the wait for a budget of the day ends without a person', () => {
  const life = new TaskLife();
  life.happen({ kind: 'begin', author: 'Ada' });
  const untilMs = life.wallMs + 60_000;
  life.budget = { ...SPENT, untilMs };
  life.happen(GRANTED);
  expect(life.state.wait?.until).toBe(new Date(untilMs).toISOString());
  life.wallMs = untilMs;
  life.budget = null;
  life.happen({ kind: 'tick' });
  expect(life.state.stage).toBe('queued');
});

it('BG8 a run waits before a turn and continues in its phase after the raise', () => {
  const life = new RunLife();
  life.budget = SPENT;
  life.happen(GRANTED);
  expect(life.state.now).toMatchObject({ stage: 'waiting', reason: 'budget', lines: [SPENT.text] });
  life.happen(CHANGED);
  expect(life.state.now.stage).toBe('waiting');
  life.budget = SHARED;
  life.happen(CHANGED);
  expect(life.state.now.stage).toBe('queued');
  life.budget = null;
  life.happen(GRANTED).happen({ kind: 'prepared' });
  expect(life.state.now.stage).toBe('talking');
});

it('BG9 a loop is asked to stop after its step, and stays to be started again', () => {
  const life = Life.running();
  life.budget = SPENT;
  life.meet({ kind: 'tick' }, 1_000);
  expect(life.state?.status).toBe('running');
  const signal = { step: 'check', result: 'PASS', next: 'exec', checkpoint: 'post-plan' } as const;
  life.meet({
    kind: 'signal',
    signal: { ...signal, summary: '', timestamp: '2026-01-01T00:00:00Z' } as never,
    suspicious: false,
    mark: 'm1',
  });
  expect(life.state).toMatchObject({
    status: 'stopping',
    stop: { reason: 'budget', by: 'daemon' },
  });
  life.meet({ kind: 'terminal_gone', how: 'closed' });
  expect(life.state).toMatchObject({ status: 'failed', error: SPENT.text, wait: null });
  if (life.state !== null) expect(loopNeed(life.state)?.reason).toBe('budget');
  life.meet({ kind: 'remove' });
  expect(life.state).toBeNull();
});

it('BG9 a loop leaves the rest of a budget to other work after its step, and needs no person', () => {
  const life = Life.running();
  life.budget = { ...SPENT, kind: 'shared' };
  const signal = { step: 'check', result: 'PASS', next: 'exec', checkpoint: 'post-plan' } as const;
  life.meet({
    kind: 'signal',
    signal: { ...signal, summary: '', timestamp: '2026-01-01T00:00:00Z' } as never,
    suspicious: false,
    mark: 'm1',
  });
  expect(life.state).toMatchObject({ status: 'stopping', stop: { reason: 'budget' } });
  life.meet({ kind: 'terminal_gone', how: 'closed' });
  expect(life.state).toMatchObject({ status: 'failed', wait: { reason: 'budget', until: null } });
  if (life.state !== null) expect(loopNeed(life.state)).toBeNull();
});

it('BG9 the agent of a loop is not started again under a spent budget', () => {
  const life = Life.running();
  life.meet({ kind: 'terminal_gone', how: 'lost' });
  expect(life.state?.status).toBe('restart_wait');
  life.budget = SPENT;
  life.meet({ kind: 'tick' }, 10 * 60_000);
  expect(life.state).toMatchObject({ status: 'failed', stop: { reason: 'budget' } });
});

const RESERVE: BudgetHold = { ...SPENT, reason: 'reserve', untilMs: 5_000_000_000_000 };

it('FP7 a task waits for what is kept for people, with until when, and then tries as one of many', () => {
  const life = TaskLife.talking({ hasCriteria: false });
  life.budget = RESERVE;
  life.happen(replied());
  const until = new Date(RESERVE.untilMs ?? 0).toISOString();
  expect(life.state).toMatchObject({ stage: 'waiting', reason: 'reserve', wait: { until } });
  // Less is kept from now on: it may begin earlier.
  life.budget = { ...RESERVE, untilMs: 4_000_000_000_000 };
  life.happen(CHANGED);
  expect(life.state.dueMs).toBe(4_000_000_000_000);
  life.wallMs = 4_000_000_000_000;
  life.budget = null;
  life.happen({ kind: 'tick' });
  expect(life.state).toMatchObject({ stage: 'queued', isLimited: true });
});

it('FP7 a run waits for what is kept for people, in line while others may use what is left', () => {
  const life = new RunLife();
  life.budget = { ...RESERVE, kind: 'shared' };
  life.happen(GRANTED);
  expect(life.state.now.stage).toBe('queued');
  expect(life.state.isLimited).toBe(false);
  life.budget = RESERVE;
  life.happen(GRANTED);
  expect(life.state.now).toMatchObject({
    stage: 'waiting',
    reason: 'reserve',
    dueMs: RESERVE.untilMs,
  });
  life.budget = null;
  life.happen(CHANGED);
  expect(life.state.now.stage).toBe('queued');
  expect(life.state.isLimited).toBe(true);
});

it.each([
  ['is kept', RESERVE],
  ['others may use', { ...RESERVE, kind: 'shared' } as const],
])('FP10 a loop ends its step where the rest %s, and then says until when it waits', (_, hold) => {
  const life = Life.running();
  life.budget = hold;
  const signal = { step: 'check', result: 'PASS', next: 'exec', checkpoint: 'post-plan' } as const;
  life.meet({
    kind: 'signal',
    signal: { ...signal, summary: '', timestamp: '2026-01-01T00:00:00Z' } as never,
    suspicious: false,
    mark: 'm1',
  });
  expect(life.state).toMatchObject({ status: 'stopping', stop: { reason: 'reserve' } });
  life.meet({ kind: 'terminal_gone', how: 'closed' });
  const until = new Date(RESERVE.untilMs ?? 0).toISOString();
  expect(life.state).toMatchObject({ status: 'failed', wait: { reason: 'reserve', until } });
});
