/** What is kept for people, on a real database: the readings, the one gate, and who changes it. */
import { expect, it } from 'vitest';
import { parseStatusLine } from '../../../server/agents/records/status-line.ts';
import type { BudgetedWork } from '../../../server/budgets/budgeted-work.ts';
import { Budgets } from '../../../server/budgets/budgets.ts';
import { PlanWindows } from '../../../server/usage/plan-windows.ts';
import { SharedPlan } from '../../../server/usage/shared-plan.ts';
import { ReservePolicy } from '../../../shared/schema/usage/reserve.ts';
import { reserveOf } from '../../support/runs/reserve-of.ts';
import { UsageHome, workOf } from '../../support/runs/usage-home.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const [FIX, OTHER] = [workOf('fix', 'task'), workOf('other', 'task')];
const POLICY = ReservePolicy.parse({
  line: { five_hour: 50, weekly: 100 },
  hours: [],
  zone: 'UTC',
});

function open(home: UsageHome) {
  const { database, clock } = home;
  const { log } = home.home;
  if (log === null) throw new Error('no log');
  const windows = new PlanWindows(database, new SharedPlan());
  const reserve = reserveOf({ database, log, clock }, windows);
  const budgets = new Budgets({ database, log, clock, reserve, shared: new SharedPlan() });
  const atWork: BudgetedWork[] = [];
  const resetsAtMs = clock.now() + 4 * HOUR_MS;
  budgets.addSource(() => ({ atWork, waiting: [FIX] }));
  const read = (percent: number, session = 'web') => {
    const five_hour = { used_percentage: percent, resets_at: resetsAtMs / 1000 };
    const line = parseStatusLine({ rate_limits: { five_hour } }, clock.now());
    if (line !== null) windows.seen(session, line, clock.now());
  };
  return { reserve, budgets, atWork, read, resetsAtMs };
}

it('FP2 FP4 FP6 one gate: a budget is named first, then what is kept, with until when', async () => {
  await using home = new UsageHome();
  const { reserve, budgets, read, resetsAtMs } = open(home);
  read(51);
  expect(budgets.check(FIX)).toBeNull();
  reserve.set(POLICY, 'Ada');
  expect(budgets.check(FIX)).toEqual({
    reason: 'reserve',
    kind: 'spent',
    text: '5-hour window: 51 % used, work begins below 50 %',
    untilMs: resetsAtMs,
  });
  budgets.set({ scope: 'task:fix', measure: 'minutes', limit: 1, why: '' }, 'Ada');
  budgets.worked(FIX, MINUTE_MS);
  expect(budgets.check(FIX)?.reason).toBe('budget');
  budgets.remove(1, 'Ada');
  const view = () => reserve.view(() => budgets.refsAtWork(), budgets.refsReserved());
  expect(view()).toMatchObject({
    author: 'Ada',
    windows: [{ state: 'spent', used_percent: 51 }, { state: 'open' }],
    hold: { until: new Date(resetsAtMs).toISOString() },
    holding: ['task:fix'],
  });
  // The reset is over: nothing is known, which holds nothing.
  home.clock.advance(4 * HOUR_MS);
  expect(budgets.check(FIX)).toBeNull();
  expect(view().windows[0]).toMatchObject({ state: 'unknown', used_percent: null });
  expect(view().holding).toEqual([]);
});

it('FP3 what a reading does not include may use what is left, until it is too old to count', async () => {
  await using home = new UsageHome();
  const { reserve, budgets, atWork, read } = open(home);
  reserve.set(POLICY, 'Ada');
  read(48.5);
  expect(budgets.check(FIX)).toBeNull();
  budgets.began(FIX);
  atWork.push(FIX);
  home.clock.advance(MINUTE_MS);
  expect(budgets.check(OTHER)?.kind).toBe('shared');
  // It has ended, and no reading includes it yet: its own next one waits as well.
  atWork.length = 0;
  expect(budgets.check(FIX)?.kind).toBe('shared');
  home.clock.advance(MINUTE_MS);
  read(49);
  expect(budgets.check(FIX)).toBeNull();
  budgets.began(FIX);
  home.clock.advance(MINUTE_MS);
  let heard = 0;
  budgets.onChange(() => (heard += 1));
  expect(budgets.check(OTHER)).toMatchObject({
    kind: 'shared',
    untilMs: home.clock.now() + 29 * MINUTE_MS + 1,
  });
  home.clock.advance(30 * MINUTE_MS);
  expect([budgets.check(OTHER), heard]).toEqual([null, 1]);
});

it('FP3 a loop whose own client wrote the reading counts only the others', async () => {
  await using home = new UsageHome();
  const { reserve, budgets, atWork, read } = open(home);
  reserve.set(POLICY, 'Ada');
  read(48.5, 'web');
  const [web, api] = [workOf('web', 'loop'), workOf('api', 'loop')];
  for (const loop of [web, api]) {
    budgets.began(loop);
    atWork.push(loop);
  }
  expect([budgets.check(web)?.kind, budgets.check(api)?.kind]).toEqual(['shared', 'shared']);
  atWork.length = 1;
  home.clock.advance(MINUTE_MS);
  read(48.6, 'web');
  expect(budgets.check(web)).toBeNull();
  home.clock.advance(MINUTE_MS);
  read(48.7, 'other');
  expect(budgets.check(web)?.kind).toBe('shared');
});

it('FP9 who changes it is recorded, what waits hears of it, and a restart keeps it', async () => {
  await using home = new UsageHome();
  const { reserve, budgets, read } = open(home);
  let heard = 0;
  budgets.onChange(() => (heard += 1));
  reserve.set(POLICY, 'Ada');
  read(60);
  expect(heard).toBe(2);
  await home.restart();
  const again = open(home);
  expect(again.budgets.check(FIX)?.reason).toBe('reserve');
  again.reserve.remove('Bob');
  again.reserve.remove('Bob');
  expect(again.budgets.check(FIX)).toBeNull();
  const rows = home.database.raw.prepare('SELECT type, data FROM events ORDER BY seq').all();
  const events = rows as { type: string; data: string }[];
  expect(events.map(({ type }) => type)).toEqual(['reserve.set', 'reserve.removed']);
  expect(JSON.parse(events[0]?.data ?? '')).toMatchObject({ author: 'Ada', policy: POLICY });
});

it('RC4 a policy that cannot be read keeps no daemon from starting: nothing is kept', async () => {
  await using home = new UsageHome();
  const { reserve } = open(home);
  reserve.set(POLICY, 'Ada');
  home.database.raw.prepare('UPDATE reserve_policies SET policy = \'{"line":\'').run();
  const next = open(home).reserve;
  expect(next.view(() => [], []).policy).toBeNull();
  expect(next.check('task:fix', () => [])).toBeNull();
});
