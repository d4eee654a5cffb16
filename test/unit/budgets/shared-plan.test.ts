/** One account on several hosts: what the others report counts here too. */
import { expect, it } from 'vitest';
import { BudgetUse } from '../../../server/budgets/budget-use.ts';
import { Budgets } from '../../../server/budgets/budgets.ts';
import { Reserve } from '../../../server/reserve/reserve.ts';
import { PlanWindows } from '../../../server/usage/plan-windows.ts';
import { SharedPlan, type SharingHost } from '../../../server/usage/shared-plan.ts';
import type { PlanShare } from '../../../shared/schema/fleet.ts';
import { ReservePolicy } from '../../../shared/schema/usage/reserve.ts';
import { spent, UsageHome, workOf } from '../../support/runs/usage-home.ts';
import { parseStatusLine } from '../../../server/agents/records/status-line.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FIX = workOf('fix', 'task');
const POLICY = ReservePolicy.parse({
  line: { five_hour: 50, weekly: 100 },
  hours: [],
  zone: 'UTC',
});

function open(home: UsageHome) {
  const { database, clock } = home;
  const { log } = home.home;
  if (log === null) throw new Error('no log');
  const shared = new SharedPlan();
  const windows = new PlanWindows(database, shared);
  const reserve = new Reserve({ database, log, clock, windows, shared });
  const budgets = new Budgets({ database, log, clock, reserve, shared });
  budgets.addSource(() => ({ atWork: [], waiting: [FIX] }));
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  const resetsAt = new Date(clock.now() + 4 * HOUR_MS).toISOString();
  /** The other host, `two`. */
  const report = (change: Partial<PlanShare>, isReachable = true) => {
    const share: PlanShare = {
      account: 'a',
      windows: { five_hour: null, weekly: null },
      at_work: 0,
      used: { day, cost: 0, tokens: 0, minutes: 0 },
      people: [],
      ...change,
    };
    shared.set([{ name: 'two', isReachable, share } satisfies SharingHost]);
  };
  const reading = (percent: number) => ({
    used_percent: percent,
    resets_at: resetsAt,
    read_at: new Date(clock.now()).toISOString(),
    session: 'web',
  });
  const readHere = (percent: number) => {
    const five_hour = { used_percentage: percent, resets_at: Date.parse(resetsAt) / 1000 };
    const line = parseStatusLine({ rate_limits: { five_hour } }, clock.now());
    if (line !== null) windows.seen('here', line, clock.now());
  };
  return { shared, windows, reserve, budgets, report, reading, readHere, day };
}

it('FP13 the newest reading of the account counts, whichever host it is from', async () => {
  await using home = new UsageHome();
  const { windows, reserve, budgets, report, reading, readHere } = open(home);
  let changes = 0;
  budgets.onChange(() => (changes += 1));
  reserve.set(POLICY, 'Ada');
  readHere(10);
  expect(budgets.check(FIX)).toBeNull();
  home.clock.advance(1_000);
  changes = 0;
  report({ windows: { five_hour: reading(60), weekly: null } });
  expect(changes).toBeGreaterThan(0);
  expect(windows.now().five_hour).toMatchObject({ used_percent: 60, session: 'web', host: 'two' });
  expect(windows.own().five_hour).toMatchObject({ used_percent: 10, host: null });
  expect(budgets.check(FIX)).toMatchObject({ reason: 'reserve', kind: 'spent' });
  home.clock.advance(1_000);
  readHere(20);
  expect(windows.now().five_hour).toMatchObject({ used_percent: 20, host: null });
  expect(budgets.check(FIX)).toBeNull();
});

it('FP13 what is at work there may use what is left here, while it can be reached', async () => {
  await using home = new UsageHome();
  const { reserve, budgets, report, readHere } = open(home);
  reserve.set(POLICY, 'Ada');
  readHere(49);
  expect(budgets.check(FIX)).toBeNull();
  report({ at_work: 2 });
  expect(budgets.check(FIX)).toMatchObject({ reason: 'reserve', kind: 'shared' });
  report({ at_work: 2 }, false);
  expect(budgets.check(FIX)).toBeNull();
});

/** What the other host reports: an older version says only what was used today. */
it.each([
  ['an older version', 0],
  ['a version that says who used it', 1],
])(
  'BG13 the budget of the day counts what the account used elsewhere that day: %s',
  async (_, version) => {
    await using home = new UsageHome();
    const { shared, budgets, report, day } = open(home);
    const reportUse = (on: string, isReachable = true) => {
      const used = { day: on, cost: 3_000_000, tokens: 10, minutes: 60_000 };
      const { cost, tokens, minutes } = used;
      const ada = { person: 'Ada', cost: [cost], tokens: [tokens], minutes: [minutes] };
      report({ used, people: version === 0 ? [] : [ada] }, isReachable);
    };
    budgets.set({ scope: 'day', measure: 'cost', limit: 5, why: '' }, 'Ada');
    home.ledger.addResult('r1', [spent(100, 2)], FIX);
    expect(budgets.check(FIX)).toBeNull();
    reportUse(day, false);
    expect(budgets.check(FIX)).toMatchObject({ reason: 'budget', kind: 'spent' });
    expect(budgets.list()).toMatchObject([{ used: 5, elsewhere: 3 }]);
    expect(budgets.check(FIX)?.text).toBe(
      'Cost of today: $5.00 of $5.00 used, $3.00 on other hosts',
    );
    // What is reported is of this host alone: two hosts would add up each other's for ever.
    const use = new BudgetUse(home.database, home.clock, shared);
    expect(use.usedToday()).toEqual({ day, cost: 2_000_000, tokens: 100, minutes: 0 });
    reportUse('2020-01-01');
    expect(budgets.check(FIX)).toBeNull();
  },
);

it('BG13 budgets of everything and of a person count other hosts from their first day on', async () => {
  await using home = new UsageHome();
  const { shared, budgets, report, day } = open(home);
  for (const scope of ['all', 'person:Ada', 'person:Bo', 'task:fix']) {
    budgets.set({ scope, measure: 'cost', limit: 50, why: '' }, 'Ada');
  }
  home.ledger.addResult('r1', [spent(100, 2)], FIX);
  const used = { day, cost: 3_000_000, tokens: 10, minutes: 60_000 };
  report({
    used: { ...used, cost: 7_000_000 },
    people: [
      { person: 'Ada', cost: [3_000_000, 5_000_000], tokens: [10, 10], minutes: [] },
      { person: 'Bo', cost: [4_000_000], tokens: [10], minutes: [60_000] },
    ],
  });
  const amounts = () => budgets.list().map(({ scope, elsewhere }) => [scope, elsewhere]);
  expect(Object.fromEntries(amounts())).toEqual({
    all: 7,
    'person:Ada': 3,
    'person:Bo': 4,
    'task:fix': 0,
  });
  home.clock.advance(DAY_MS);
  expect(Object.fromEntries(amounts())).toMatchObject({ all: 7, 'person:Ada': 3 });
  // What this host reports in turn.
  home.ledger.addResult('r2', [spent(50, 1)], FIX);
  const use = new BudgetUse(home.database, home.clock, shared);
  const cost = [1_000_000, 2_000_000];
  expect(use.ofPeople()).toEqual([
    { person: FIX.person, cost, tokens: [50, 100], minutes: [0, 0] },
  ]);
});
