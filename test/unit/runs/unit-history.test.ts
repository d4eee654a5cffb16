/** The history of work over a real log: each unit once, filtered, in bounded pages, read once. */
import { afterEach, expect, it } from 'vitest';
import { ActivitySteps } from '../../../server/report/activity-steps.ts';
import { coarseSpans } from '../../../server/report/coarse-spans.ts';
import type { Span } from '../../../server/report/timeline.ts';
import { UnitHistories } from '../../../server/report/unit-histories.ts';
import type { EventDraft } from '../../../shared/schema/events/events.ts';
import { UnitHistoryQuery } from '../../../shared/schema/events/history.ts';
import { EventHome } from '../../support/events/event-home.ts';
import { randomNight, START_MS } from '../../support/runs/random-night.ts';
import { seeded } from '../../support/house/random.ts';

const HOUR_MS = 3_600_000;
const homes: EventHome[] = [];
afterEach(() => {
  for (const home of homes.splice(0)) home[Symbol.dispose]();
});

/** A log, and how many of its rows were searched. */
function open() {
  const home = new EventHome();
  homes.push(home);
  const { log } = home.open();
  let searched = 0;
  const readTypes = log.readTypes.bind(log);
  log.readTypes = (types, after, last) => {
    searched += last - after;
    return readTypes(types, after, last);
  };
  const histories = new UnitHistories({
    log,
    clock: home.clock,
    work: () => [],
    titleOf: (directory) => `title of ${directory}`,
    rootOf: (directory) => (directory.startsWith('/repo/') ? '/repo' : null),
  });
  const read = async (query: Record<string, string> = {}) => {
    home.clock.advance(1);
    return histories.read(UnitHistoryQuery.parse(query));
  };
  const append = (draft: unknown) => log.write((write) => write(draft as EventDraft));
  return { home, log, histories, read, append, searched: () => searched };
}

const created = (task: string, author = 'Mia', root_folder = '/repo') => ({
  type: 'task.created',
  data: { task, root_folder, branch_name: null, author },
});
const status = (task: string, now: string, reason: string | null = null) => ({
  type: 'task.status',
  data: { task, status: now, before: 'PENDING', reason, until: null, error: null },
});
const started = (session: string, task_dir: string) => ({
  type: 'auto.started',
  session,
  data: { run_id: 'r', task_dir, max_iterations: 9, timeout_minutes: 9, agent: 'claude' },
});

it('HP1 HP13 a thousand units come in bounded pages, each once and newest first', async () => {
  const { home, read, append, searched } = open();
  for (let n = 0; n < 1_000; n += 1) {
    home.clock.advance(1_000);
    append(created(`t${n}`));
    append(status(`t${n}`, 'RUNNING'));
  }
  const seen: string[] = [];
  let before: string | null = null;
  do {
    const page = await read({ limit: '200', ...(before === null ? {} : { before }) });
    expect(page.total).toBe(1_000);
    expect(page.units.length).toBeLessThanOrEqual(200);
    seen.push(...page.units.map(({ name }) => name));
    before = page.next;
  } while (before !== null);
  expect(seen).toEqual(Array.from({ length: 1_000 }, (_, n) => `t${999 - n}`));
  // The log was searched once, for the first page.
  expect(searched()).toBe(2_000);
  append(status('t5', 'COMPLETED', 'criteria_met'));
  const { units } = await read({ state: 'completed' });
  expect(units.map(({ name, outcome }) => [name, outcome])).toEqual([['t5', 'completed']]);
  expect(searched()).toBe(2_001);
  expect(UnitHistoryQuery.safeParse({ limit: '201' }).success).toBe(false);
});

it('HP13 what was read is released a while after the last question', async () => {
  const { home, read, append, searched } = open();
  append(created('one'));
  await read();
  await read();
  expect(searched()).toBe(1);
  home.clock.advance(600_000);
  expect((await read()).units.map(({ name }) => name)).toEqual(['one']);
  expect(searched()).toBe(2);
});

it('HP2 it is filtered by kind, state, project, person and text, and each choice is counted', async () => {
  const { read, append } = open();
  append(created('fix-login'));
  append(status('fix-login', 'RUNNING'));
  append(created('docs', 'Kim', '/other'));
  append(status('docs', 'PAUSED', 'question'));
  append(started('web', '/repo/TaskModules/parser'));
  const names = async (query: Record<string, string>) =>
    (await read(query)).units.map(({ name }) => name).sort();
  expect(await names({})).toEqual(['docs', 'fix-login', 'web']);
  expect(await names({ kind: 'task' })).toEqual(['docs', 'fix-login']);
  expect(await names({ kind: 'task,loop', state: 'working' })).toEqual(['fix-login']);
  expect(await names({ state: 'waiting' })).toEqual(['docs']);
  expect(await names({ state: 'changing' })).toEqual(['web']);
  expect(await names({ project: '/repo' })).toEqual(['fix-login', 'web']);
  expect(await names({ project: '/repo/TaskModules' })).toEqual(['web']);
  expect(await names({ person: 'Kim' })).toEqual(['docs']);
  expect(await names({ text: 'TITLE OF' })).toEqual(['web']);
  const { choices, units } = await read({ kind: 'task', person: 'Kim' });
  expect(units[0]).toMatchObject({ kind: 'task', state: 'waiting', reason: 'question' });
  // What matches all other choices.
  expect(choices.people).toEqual([
    { value: 'Kim', count: 1 },
    { value: 'Mia', count: 1 },
  ]);
  expect(choices.kinds.find(({ value }) => value === 'task')?.count).toBe(1);
  expect(choices.projects).toEqual([{ value: '/other', count: 1 }]);
});

it('HP9 a unit shows what its time went to, also while it waits', async () => {
  const { home, read, append } = open();
  append(created('a'));
  home.clock.advance(1_000_000);
  append(status('a', 'RUNNING'));
  home.clock.advance(2_000_000);
  append(status('a', 'PAUSED', 'quota'));
  home.clock.advance(3_000_000);
  const beginsAt = new Date(home.clock.now() - 6_000_000).toISOString();
  const until = new Date(home.clock.now()).toISOString();
  const { units, seconds, activity } = await read({ since: beginsAt, until });
  const [unit] = units;
  expect(unit).toMatchObject({ state: 'quota', reason: 'quota', outcome: null });
  expect(unit?.spans.map(({ share }) => share)).toEqual(['queued', 'working', 'quota']);
  expect(unit?.seconds).toMatchObject({ queued: 1_000, working: 2_000, quota: 3_000 });
  expect(seconds).toEqual(unit?.seconds);
  // Each moment of it is in the chart: one unit in one state.
  for (let step = 0; step < 120; step += 1) {
    const sum = Object.values(activity.counts).reduce((all, row) => all + (row[step] ?? 0), 0);
    expect(sum).toBeCloseTo(1, 1);
  }
});

it('HP9 coarse spans cover the same time without overlap, and are few', async () => {
  for (let round = 0; round < 200; round += 1) {
    await seeded((random) => {
      const shares = ['working', 'waiting', 'quota', 'recovering'] as const;
      const spans: Span[] = [];
      let atMs = 0;
      for (let n = random.int(1, 400); n > 0; n -= 1) {
        if (random.chance(0.05)) atMs += random.int(1, 50);
        const toMs = atMs + random.int(1, random.chance(0.1) ? 400 : 20);
        spans.push({ fromMs: atMs, toMs, share: random.pick(shares) });
        atMs = toMs;
      }
      const stepMs = random.int(1, 100);
      const coarse = coarseSpans(spans, stepMs);
      const length = (all: readonly Span[]) =>
        all.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
      expect(length(coarse)).toBe(length(spans));
      const gaps = spans.filter(({ fromMs }, n) => fromMs !== (spans[n - 1]?.toMs ?? 0)).length;
      expect(coarse.length).toBeLessThanOrEqual(2 * Math.ceil(atMs / stepMs) + 2 * gaps + 2);
      for (const [n, span] of coarse.entries()) {
        expect(span.fromMs).toBeGreaterThanOrEqual(coarse[n - 1]?.toMs ?? 0);
      }
    });
  }
});

it('HP9 the states over time add up to the time of the units', async () => {
  for (let round = 0; round < 20; round += 1) {
    await seeded((random) => {
      const { units } = randomNight(random, 8);
      const [sinceMs, untilMs] = [START_MS, START_MS + 8 * HOUR_MS];
      const steps = new ActivitySteps(sinceMs, untilMs, 120);
      let all = 0;
      for (const { spans } of units) {
        const inside = spans.flatMap(({ fromMs, toMs, share }) => {
          const cut = { fromMs: Math.max(fromMs, sinceMs), toMs: Math.min(toMs, untilMs), share };
          return cut.fromMs < cut.toMs ? [cut] : [];
        });
        steps.add(inside);
        for (const { fromMs, toMs } of inside) all += toMs - fromMs;
      }
      const sums = Object.values(steps.counts()).flat();
      const counted = sums.reduce((sum, each) => sum + each, 0) * steps.stepMs;
      expect(Math.abs(counted - all)).toBeLessThanOrEqual(0.005 * steps.stepMs * sums.length + 1);
    });
  }
});
