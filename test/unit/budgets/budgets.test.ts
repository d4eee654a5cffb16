/** Budgets on a real database: what counts, who is held, and what people change. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Budgets } from '../../../server/budgets/budgets.ts';
import type { BudgetedWork } from '../../../server/budgets/budgeted-work.ts';
import { SharedPlan } from '../../../server/usage/shared-plan.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';
import { reserveOf } from '../../support/runs/reserve-of.ts';
import { spent, UsageHome, workOf } from '../../support/runs/usage-home.ts';

const DAY_MS = 86_400_000;
const FIX = workOf('fix', 'task');
const OTHER: BudgetedWork = { ...workOf('other', 'task'), project: '/srv/api', person: 'Bob' };

function open(home: UsageHome) {
  const { database, clock } = home;
  const { log } = home.home;
  if (log === null) throw new Error('no log');
  return new Budgets({
    database,
    log,
    clock,
    reserve: reserveOf({ database, log, clock }),
    shared: new SharedPlan(),
  });
}

function use(home: UsageHome, id: string, costUsd: number, work = FIX): void {
  home.ledger.addResult(id, [spent(100, costUsd)], work);
}

it('BG1 a budget counts its own scope, from its beginning or the day it was set', async () => {
  await using home = new UsageHome();
  use(home, 'before', 5);
  home.clock.advance(DAY_MS);
  const budgets = open(home);
  const set = (scope: string) => budgets.set({ scope, measure: 'cost', limit: 2, why: '' }, 'Ada');
  for (const scope of ['all', 'day', 'person:Ada', 'project:/srv/web', 'task:fix']) set(scope);
  use(home, 'now', 1);
  use(home, 'other', 0.5, OTHER);
  const used = Object.fromEntries(budgets.list().map((each) => [each.scope, each.used]));
  expect(used).toEqual({
    all: 1.5,
    day: 1.5,
    'person:Ada': 1,
    'project:/srv/web': 1,
    'task:fix': 6,
  });
  // Only what covers a task holds it.
  expect(budgets.check(FIX)?.text).toBe('Cost of task fix: $6.00 of $2.00 used');
  expect(budgets.check(OTHER)).toBeNull();
  budgets.addSource(() => ({ atWork: [], waiting: [FIX, OTHER] }));
  const holding = budgets.list().map((each) => [each.scope, each.holding]);
  expect(holding.filter(([, held]) => held?.length !== 0)).toEqual([['task:fix', ['task:fix']]]);
});

it('BG1 a project is the same by every path to it', async () => {
  await using home = new UsageHome();
  const root = mkdtempSync(join(TEST_ROOT, 'project-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'web'));
  symlinkSync('web', join(root, 'link'));
  const budgets = open(home);
  const project = join(realpathSync(root), 'web');
  use(home, 'one', 1, { ...FIX, project });
  for (const name of ['web', 'web/', 'link', './web/.']) {
    const scope = `project:${root}/${name}`;
    const set = budgets.set({ scope, measure: 'cost', limit: 2, why: '' }, 'Ada');
    expect(set).toMatchObject({ scope: `project:${project}`, used: 1 });
  }
  expect(budgets.list()).toHaveLength(1);
});

it('BG4 a budget of the day counts from 0 after midnight UTC, and says until when', async () => {
  await using home = new UsageHome();
  const budgets = open(home);
  budgets.set({ scope: 'day', measure: 'tokens', limit: 100, why: '' }, 'Ada');
  use(home, 'one', 0);
  const midnight = Date.parse(new Date(home.clock.now()).toISOString().slice(0, 10)) + DAY_MS;
  expect(budgets.check(FIX)).toEqual({
    reason: 'budget',
    kind: 'spent',
    text: 'Output tokens of today: 100 output tokens of 100 output tokens used',
    untilMs: midnight,
  });
  home.clock.advance(midnight - home.clock.now());
  expect(budgets.check(FIX)).toBeNull();
});

it('BG5 minutes at work count, and what is not stored yet counts too', async () => {
  await using home = new UsageHome();
  const budgets = open(home);
  budgets.set({ scope: 'task:fix', measure: 'minutes', limit: 10, why: '' }, 'Ada');
  budgets.worked(FIX, 4 * 60_000);
  budgets.worked(FIX, 5 * 60_000);
  budgets.worked(OTHER, 60 * 60_000);
  expect(budgets.list()[0]?.used).toBe(9);
  expect(budgets.check(FIX)).toBeNull();
  const more = { cost: 0, tokens: 0, minutes: 60_000 };
  expect(budgets.check(FIX, more)?.kind).toBe('spent');
});

it('BG3 while others are at work nothing is dispatched that could pass the limit with them', async () => {
  await using home = new UsageHome();
  const budgets = open(home);
  budgets.set({ scope: 'all', measure: 'cost', limit: 10, why: '' }, 'Ada');
  const atWork: BudgetedWork[] = [FIX];
  budgets.addSource(() => ({ atWork, waiting: [] }));
  // Nothing is known of the size of a dispatch.
  expect(budgets.check(OTHER)?.kind).toBe('shared');
  expect(budgets.check(FIX)).toBeNull();
  budgets.began(FIX);
  use(home, 'one', 1);
  budgets.began(FIX);
  expect(budgets.check(OTHER)).toBeNull();
  use(home, 'two', 7.5);
  // 8.50 are used, and another dispatch of 1.00 may be twice as large.
  expect(budgets.check(OTHER)?.kind).toBe('shared');
  atWork.length = 0;
  expect(budgets.check(OTHER)).toBeNull();
  // What ended is known now, also after a restart.
  atWork.push(FIX);
  budgets.raise(1, { limit: 20, why: '' }, 'Ada');
  expect(open(home).list()[0]?.limit).toBe(20);
  expect(budgets.check(OTHER)?.kind).toBe('shared');
});

it('BG6 a change names who and why; a raise must raise, and what waits hears of it', async () => {
  await using home = new UsageHome();
  const budgets = open(home);
  let heard = 0;
  budgets.onChange(() => (heard += 1));
  const { id } = budgets.set({ scope: 'day', measure: 'cost', limit: 2, why: 'night' }, 'Ada');
  expect(() => budgets.raise(id, { limit: 2, why: '' }, 'Bob')).toThrow('is $2.00 already');
  expect(() => budgets.raise(99, { limit: 2, why: '' }, 'Bob')).toThrow('no budget with that id');
  budgets.raise(id, { limit: 3, why: 'release' }, 'Bob');
  expect(budgets.list()[0]).toMatchObject({ limit: 3, author: 'Bob', why: 'release' });
  // Set again: the same budget.
  expect(budgets.set({ scope: 'day', measure: 'cost', limit: 1, why: '' }, 'Ada').id).toBe(id);
  budgets.remove(id, 'Ada');
  expect([budgets.list(), heard]).toEqual([[], 4]);
  const rows = home.database.raw.prepare('SELECT type, data FROM events ORDER BY seq').all();
  const events = (rows as { type: string; data: string }[]).map(
    ({ type, data }) => [type, JSON.parse(data) as object] as const,
  );
  expect(events.map(([type]) => type)).toEqual([
    'budget.set',
    'budget.raised',
    'budget.set',
    'budget.removed',
  ]);
  expect(events[1]?.[1]).toMatchObject({ before: 2, limit: 3, author: 'Bob', why: 'release' });
});

it('BG3 BG9 what waits for the share of other work hears that it ended, once and in a later turn', async () => {
  await using home = new UsageHome();
  const budgets = open(home);
  let heard = 0;
  budgets.onChange(() => (heard += 1));
  budgets.freed();
  budgets.freed();
  expect(heard).toBe(0);
  home.clock.advance(0);
  expect(heard).toBe(1);
  budgets.freed();
  budgets.dispose();
  home.clock.advance(0);
  expect([heard, home.clock.pending]).toEqual([1, 0]);
});

it('BG7 a budget in money says when some of the work reports no cost', async () => {
  await using home = new UsageHome();
  const budgets = open(home);
  budgets.set({ scope: 'all', measure: 'cost', limit: 2, why: '' }, 'Ada');
  use(home, 'one', 1);
  expect(budgets.list()[0]?.is_partial).toBe(false);
  home.ledger.addResult('two', [spent(100)], OTHER);
  expect(budgets.list()[0]?.is_partial).toBe(true);
});
