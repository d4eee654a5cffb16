/** The windows of the plan, and what sessions have used for their current work. */
import { expect, it } from 'vitest';
import { parseStatusLine, type StatusLine } from '../../../server/agents/records/status-line.ts';
import { PlanWindows } from '../../../server/usage/plan-windows.ts';
import { SharedPlan } from '../../../server/usage/shared-plan.ts';
import { SessionUsages } from '../../../server/usage/session-usage.ts';
import { spent, UsageHome, workOf } from '../../support/runs/usage-home.ts';

const HOUR_MS = 3_600_000;

function line(writtenAtMs: number | null, fiveHour: number | null, weekly?: number): StatusLine {
  const resets = { resets_at: 1_800_000_000 };
  const limit = (used: number | null | undefined) =>
    used == null ? undefined : { used_percentage: used, ...resets };
  const payload = {
    model: { display_name: 'Opus 5.5', id: 'claude-opus-5-5' },
    context_window: { used_percentage: 34 },
    rate_limits: { five_hour: limit(fiveHour), seven_day: limit(weekly) },
  };
  const parsed = parseStatusLine(payload, writtenAtMs);
  if (parsed === null) throw new Error('not a status line');
  return parsed;
}

it('US40 keeps the newest reading of each window with its time, over restarts', async () => {
  await using home = new UsageHome();
  const nowMs = home.clock.now();
  const windows = new PlanWindows(home.database, new SharedPlan());
  expect(windows.now()).toEqual({ five_hour: null, weekly: null });
  windows.seen('web', line(nowMs - HOUR_MS, 40, 12), nowMs);
  windows.seen('api', line(nowMs - 2 * HOUR_MS, 90, 50), nowMs);
  windows.seen('api', line(null, 99), nowMs);
  // A session of an API key reports no windows.
  windows.seen('key', line(nowMs, null), nowMs);
  await home.restart();
  const read = new PlanWindows(home.database, new SharedPlan()).now();
  const time = new Date(nowMs - HOUR_MS).toISOString();
  expect(read.five_hour).toMatchObject({ used_percent: 40, read_at: time, session: 'web' });
  expect(read.weekly).toMatchObject({ used_percent: 12, resets_at: '2027-01-15T08:00:00.000Z' });
});

it('US40 a reading is not from the future, and an equal one is written once a minute', async () => {
  await using home = new UsageHome();
  const nowMs = home.clock.now();
  const windows = new PlanWindows(home.database, new SharedPlan());
  windows.seen('web', line(nowMs + HOUR_MS, 40), nowMs);
  expect(windows.now().five_hour?.read_at).toBe(new Date(nowMs).toISOString());
  const changes = () => home.database.raw.prepare('SELECT total_changes()').pluck().get();
  const before = changes();
  windows.seen('web', line(nowMs + 30_000, 40), nowMs + 30_000);
  expect(changes()).toBe(before);
  windows.seen('web', line(nowMs + 60_000, 40), nowMs + 60_000);
  expect(windows.now().five_hour?.read_at).toBe(new Date(nowMs + 60_000).toISOString());
  windows.seen('web', line(nowMs + 61_000, 41), nowMs + 61_000);
  expect(windows.now().five_hour?.used_percent).toBe(41);
});

it('US41 the work of a session counts from its start; a model that is not named is null', async () => {
  await using home = new UsageHome();
  const { clock, ledger, reports } = home;
  ledger.addResult('before', [spent(100, 1)], workOf('web', 'loop'));
  clock.advance(HOUR_MS);
  const sinceMs = clock.now();
  ledger.addResult('after', [spent(20, 0.25)], workOf('web', 'loop'));
  ledger.addResult('other', [spent(7, 3)], workOf('web'));
  const usages = new SessionUsages(reports);
  const work = { session: 'web', subject: 'loop', sinceMs } as const;
  expect(usages.of(work)).toMatchObject({
    model: null,
    context_percent: null,
    read_at: null,
    cost: { micro_usd: 250_000 },
    tokens: { output: 20 },
  });
  usages.seen('web', line(sinceMs, null));
  const seen = usages.of({ ...work, subject: 'session', sinceMs: clock.now() + 1 });
  expect(seen).toMatchObject({ model: 'Opus 5.5', context_percent: 34, cost: null, tokens: null });
  usages.ended('web');
  expect(usages.of(work).model).toBeNull();
});

it('US42 the report counts only the project, person or subject that is asked for', async () => {
  await using home = new UsageHome();
  home.ledger.addResult('1', [spent(10, 1)], workOf('fix', 'task'));
  home.ledger.addResult('2', [spent(5, 2)], {
    ...workOf('web'),
    project: '/srv/api',
    person: 'Bob',
  });
  const outputOf = (query: object) =>
    home.reports.report({ by: 'day', ...query }, home.clock.now()).totals.tokens?.output;
  expect(outputOf({})).toBe(15);
  expect(outputOf({ project: '/srv/api' })).toBe(5);
  expect(outputOf({ person: 'Ada' })).toBe(10);
  expect(outputOf({ subject: 'task:fix' })).toBe(10);
  expect(outputOf({ subject: 'task:fix', person: 'Bob' })).toBeUndefined();
});
