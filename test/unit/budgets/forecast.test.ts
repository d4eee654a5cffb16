/** When a window of the plan ends: simulated nights, and what the forecast says of itself. */
import { expect, it } from 'vitest';
import { forecastWindow, type WindowSample } from '../../../server/usage/forecast.ts';
import { parseStatusLine } from '../../../server/agents/records/status-line.ts';
import { openWork, type TaskCosts } from '../../../server/usage/open-work.ts';
import { PlanWindows } from '../../../server/usage/plan-windows.ts';
import { SharedPlan } from '../../../server/usage/shared-plan.ts';
import { WindowSamples } from '../../../server/usage/window-samples.ts';
import { taskCosts } from '../../../server/tasks/task-costs.ts';
import { forecastText } from '../../../shared/words/usage/forecast-text.ts';
import { UsageHome } from '../../support/runs/usage-home.ts';
import { seeded } from '../../support/house/random.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WINDOW_MS = 5 * HOUR_MS;
const STEP_MS = 10 * MINUTE_MS;
const NO_TASKS: TaskCosts = { open: [], completed: [], hasUnsized: false };
const START = Date.parse('2026-11-23T20:00:00Z');

function steady(burn: number, hours: number): WindowSample[] {
  const resetsAtMs = START + WINDOW_MS;
  return Array.from({ length: hours * 6 + 1 }, (_, step) => {
    const atMs = START + step * STEP_MS;
    return { atMs, usedPercent: Math.min(100, (burn * (atMs - START)) / HOUR_MS), resetsAtMs };
  });
}

it('US60 a steady burn ends when it ends, and says what it learned from', () => {
  const samples = steady(30, 1);
  const forecast = forecastWindow(samples, HOUR_MS, START + HOUR_MS);
  expect(forecast).toMatchObject({ burn: 30, learnedFrom: 0 });
  // 70 % are left: 2 h 20 min at 30 % in an hour.
  expect(forecast?.likelyMs).toBe(START + HOUR_MS + (70 / 30) * HOUR_MS);
  // Until something is learned, the interval is wide.
  expect(forecast?.earliestMs).toBe(START + HOUR_MS + (70 / 150) * HOUR_MS);
  expect(forecast?.latestMs).toBeNull();
});

it('US60 without a reading, a burn, or after the reset nothing is forecast', () => {
  expect(forecastWindow([], HOUR_MS, START)).toBeNull();
  expect(forecastWindow(steady(0, 1), HOUR_MS, START + HOUR_MS)).toBeNull();
  expect(forecastWindow(steady(30, 1), HOUR_MS, START + WINDOW_MS)).toBeNull();
  expect(forecastWindow(steady(30, 1).slice(0, 1), HOUR_MS, START)).toBeNull();
});

it('US60 a burn that lasts until the reset is not said to end before it', () => {
  expect(forecastWindow(steady(10, 2), HOUR_MS, START + 2 * HOUR_MS)?.likelyMs).toBeNull();
});

it('US61 in 50 simulated nights the real end is within the interval in at least 90 %', async () => {
  await seeded((random) => {
    const samples: WindowSample[] = [];
    let [judged, within, ends] = [0, 0, 0];
    let startMs = START;
    for (let night = 0; night < 60; night += 1) {
      // Two windows in a night; loops begin and end, so the burn changes from hour to hour.
      for (let part = 0; part < 2; part += 1, startMs += WINDOW_MS) {
        const resetsAtMs = startMs + WINDOW_MS;
        const usual = 10 + 30 * random.next();
        let [used, pace, endMs] = [0, 1, null as number | null];
        const ofWindow: WindowSample[] = [];
        for (let atMs = startMs; atMs < resetsAtMs; atMs += STEP_MS) {
          ofWindow.push({ atMs, usedPercent: Math.min(100, used), resetsAtMs });
          if (random.chance(0.15)) pace = 0.3 + 1.4 * random.next();
          const growth = usual * pace * (STEP_MS / HOUR_MS) * (0.7 + 0.6 * random.next());
          if (endMs === null && used + growth >= 100)
            endMs = atMs + ((100 - used) / growth) * STEP_MS;
          used += growth;
        }
        // Asked once in each window, after one to two hours.
        const asked = random.int(6, 12);
        const past = [...samples, ...ofWindow.slice(0, asked + 1)];
        const nowMs = ofWindow[asked]?.atMs ?? startMs;
        const forecast = forecastWindow(past, HOUR_MS, nowMs);
        samples.push(...ofWindow);
        if (night < 10 || forecast === null) continue;
        judged += 1;
        const isLateEnough = endMs === null ? true : endMs >= (forecast.earliestMs ?? Infinity);
        const isEarlyEnough =
          forecast.latestMs === null || (endMs ?? Infinity) <= forecast.latestMs;
        if (isLateEnough && isEarlyEnough) within += 1;
        // An interval that says nothing would hold as well.
        if (forecast.learnedFrom > 0 && forecast.latestMs !== null) ends += 1;
      }
      startMs += 14 * HOUR_MS;
    }
    expect(judged).toBeGreaterThanOrEqual(95);
    expect(within / judged).toBeGreaterThanOrEqual(0.9);
    expect(ends).toBeGreaterThan(5);
  });
});

it('US62 readings are kept every ten minutes, over restarts, and forecast the end', async () => {
  await using home = new UsageHome();
  const open = () => {
    const windows = new PlanWindows(home.database, new SharedPlan());
    return { windows, samples: new WindowSamples(home.database, windows) };
  };
  const { windows, samples } = open();
  const startMs = Math.ceil(home.clock.now() / 1000) * 1000;
  for (let step = 0; step <= 30; step += 1) {
    const five_hour = { used_percentage: step, resets_at: (startMs + WINDOW_MS) / 1000 };
    const atMs = startMs + step * 2 * MINUTE_MS;
    const line = parseStatusLine({ rate_limits: { five_hour } }, atMs);
    if (line !== null) windows.seen('web', line, atMs);
  }
  const nowMs = startMs + HOUR_MS;
  const expected = { percent_per_hour: 30, fits: 'maybe', learned_from: 0 };
  expect(samples.forecast('five_hour', nowMs, NO_TASKS, () => 0)).toMatchObject(expected);
  expect(samples.forecast('weekly', nowMs, NO_TASKS, () => 0)).toBeNull();
  const count = home.database.raw.prepare('SELECT count(*) FROM window_readings').pluck().get();
  expect(count).toBe(7);
  await home.restart();
  expect(open().samples.forecast('five_hour', nowMs, NO_TASKS, () => 0)).toMatchObject(expected);
});

const SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((dollars) => dollars * 1e6);

it('US63 open tasks take what completed ones cost, less what they cost already', () => {
  const burned = { percent: 20, costMicros: 10e6 };
  const tasks = { open: [0, 4e6], completed: SIZES, hasUnsized: false };
  // A dollar is 2 %; the sizes are 2, 6 and 10 dollars.
  expect(openWork(tasks, burned)).toEqual({ least: 4, likely: 16, most: 32, learnedFrom: 11 });
  expect(openWork({ ...tasks, completed: SIZES.slice(0, 4) }, burned)).toBeNull();
  expect(openWork({ ...tasks, completed: SIZES.map(() => 0) }, burned)).toBeNull();
  expect(openWork(tasks, { ...burned, costMicros: 0 })).toBeNull();
  expect(openWork(tasks, { ...burned, percent: 0 })).toBeNull();
  // Old sizes are forgotten.
  const changed = [...SIZES, ...Array.from({ length: 50 }, () => 1e6)];
  expect(openWork({ ...tasks, completed: changed }, burned)).toMatchObject({ least: 2, most: 2 });
});

it('US63 queued, working and waiting tasks are open; drafts and ended ones are not', () => {
  const state = (status: string, stage: string, costUsd: number, completedAt: string | null) =>
    ({ state: { status, stage, costUsd, completedAt } }) as unknown as Parameters<
      typeof taskCosts
    >[0][number];
  const records = [
    state('PENDING', 'none', 0, null),
    state('PENDING', 'queued', 0, null),
    state('RUNNING', 'turn', 1, null),
    state('PAUSED', 'waiting', 2, null),
    state('COMPLETED', 'none', 4, '2026-11-25T02:00:00.000Z'),
    state('COMPLETED', 'none', 3, '2026-11-25T01:00:00.000Z'),
    state('FAILED', 'none', 9, null),
  ];
  expect(taskCosts(records)).toEqual({ open: [0, 1e6, 2e6], completed: [3e6, 4e6] });
});

it('US63 work that ends before the window does fits, unless work of unknown size is open', async () => {
  await using home = new UsageHome();
  const windows = new PlanWindows(home.database, new SharedPlan());
  const samples = new WindowSamples(home.database, windows);
  const startMs = Math.ceil(home.clock.now() / 1000) * 1000;
  // 80 % in two hours: without knowing the tasks it ends before the reset.
  for (let step = 0; step <= 12; step += 1) {
    const resets_at = (startMs + WINDOW_MS) / 1000;
    const five_hour = { used_percentage: (step * 80) / 12, resets_at };
    const atMs = startMs + step * STEP_MS;
    const line = parseStatusLine({ rate_limits: { five_hour } }, atMs);
    if (line !== null) windows.seen('web', line, atMs);
  }
  const nowMs = startMs + 2 * HOUR_MS;
  const forecast = (open: number[], hasUnsized: boolean, dollars: number) => {
    const tasks = { open, completed: SIZES, hasUnsized };
    return samples.forecast('five_hour', nowMs, tasks, () => dollars * 1e6);
  };
  const tasks = { count: 1, least: 1.6, likely: 4.8, most: 8, learned_from: 11 };
  const found = forecast([0], false, 100);
  expect(found).toMatchObject({ fits: 'yes', open_tasks: tasks });
  if (found === null) throw new Error('no forecast');
  expect(forecastText(found, (at) => at)).toMatch(
    /\. 1 open task: about 5 % more \(2 % to 8 %, from 11 completed\); all open work fits$/,
  );
  // At this burn it ends before the reset, even at the least that is to be expected.
  expect(forecast([0], true, 100)?.fits).toBe('no');
  expect(forecast([0], false, 20)?.fits).toBe('maybe');
  expect(forecast([0], false, 5)?.fits).toBe('no');
  expect(forecast([0], false, 0)).toMatchObject({ fits: 'no', open_tasks: null });
});
