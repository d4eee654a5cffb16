/** What the history shows: its address, its range by pointer, keys and fields, and its axis. */
import { expect, it } from 'vitest';
import type { HistoryUnit } from '../../../../shared/schema/events/history.ts';
import { LABEL_WIDTH, timeTicks } from '../../../../web/lib/chart/time-ticks.ts';
import {
  chartSpan,
  DEFAULT_CHOICE,
  type HistoryChoice,
  rangeBetween,
  readChoice,
  writeChoice,
  zoomOut,
} from '../../../../web/lib/history/history-choice.ts';
import { joinPages } from '../../../../web/lib/history/join-pages.ts';
import { restartPrefill } from '../../../../web/lib/history/restart-prefill.ts';
import { moveHandle } from '../../../../web/lib/history/selection.ts';
import { EMPTY_WORK, type LiveWork } from '../../../../web/lib/state/live-work.ts';
import { aUnit } from '../../../support/runs/report-unit.ts';
import { seeded } from '../../../support/house/random.ts';

const NOW_MS = Date.parse('2026-01-08T00:00:00.000Z');
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

function aLoop(change: Partial<HistoryUnit> = {}): HistoryUnit {
  const { branches: _, branches_error: __, used: ___, ...unit } = aUnit('web', { kind: 'loop' });
  const loop = { state: 'ended', outcome: 'stopped', project: '/tasks/parser' } as const;
  return { ...unit, ...loop, agent: 'claude', root: '/tasks', spans: [], ...change };
}

it('HP2 an address becomes the same choice again, and values that no work can have are left out', () => {
  const range = { sinceMs: NOW_MS - HOUR_MS, untilMs: NOW_MS };
  const choices: HistoryChoice[] = [
    DEFAULT_CHOICE,
    { ...DEFAULT_CHOICE, range: { name: 'hour' }, kind: 'task', state: 'waiting' },
    { ...DEFAULT_CHOICE, range, project: '/a b', person: 'Mia', text: 'x&y' },
    { ...DEFAULT_CHOICE, range: { ...range, untilMs: null } },
  ];
  for (const choice of choices) {
    const written = Object.entries(writeChoice(choice)).filter(([, value]) => value !== null);
    expect(readChoice(new URLSearchParams(written as [string, string][]))).toEqual(choice);
  }
  const wrong = 'kind=toString&state=Running&since=yesterday&range=valueOf';
  expect(readChoice(new URLSearchParams(wrong))).toEqual(DEFAULT_CHOICE);
  const reversed = 'since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z';
  expect(readChoice(new URLSearchParams(reversed))).toEqual(DEFAULT_CHOICE);
});

it('HP10 two times make a range of at least a minute, and one that reaches now stays open', () => {
  const range = rangeBetween(NOW_MS - 2 * HOUR_MS, NOW_MS - HOUR_MS, NOW_MS);
  expect(range).toEqual({ sinceMs: NOW_MS - 2 * HOUR_MS, untilMs: NOW_MS - HOUR_MS });
  expect(rangeBetween(NOW_MS, NOW_MS - HOUR_MS, NOW_MS)).toEqual({
    sinceMs: NOW_MS - HOUR_MS,
    untilMs: null,
  });
  expect(rangeBetween(NOW_MS - 5, NOW_MS, NOW_MS)).toEqual({
    sinceMs: NOW_MS - MINUTE_MS,
    untilMs: null,
  });
  expect(rangeBetween(NOW_MS + 1, NOW_MS + HOUR_MS, NOW_MS)).toBeNull();
  expect(rangeBetween(Number.NaN, NOW_MS, NOW_MS)).toBeNull();
});

it('HP10 keys move one end of the range up to the other', () => {
  expect(moveHandle({ from: 0, to: 120 }, 'from', 'ArrowRight', 120)).toEqual({ from: 1, to: 120 });
  expect(moveHandle({ from: 118, to: 120 }, 'from', 'PageUp', 120)).toEqual({ from: 119, to: 120 });
  expect(moveHandle({ from: 5, to: 9 }, 'to', 'Home', 120)).toEqual({ from: 5, to: 6 });
  expect(moveHandle({ from: 5, to: 9 }, 'to', 'End', 120)).toEqual({ from: 5, to: 120 });
  expect(moveHandle({ from: 0, to: 120 }, 'from', 'Home', 120)).toEqual({ from: 0, to: 120 });
  expect(moveHandle({ from: 0, to: 120 }, 'from', 'x', 120)).toBeNull();
});

it('HP11 zooming out doubles the range, ends at now and at the beginning of the log', () => {
  const shown = { sinceMs: NOW_MS - 6 * HOUR_MS, untilMs: NOW_MS - 4 * HOUR_MS };
  expect(zoomOut(shown, NOW_MS, null)).toEqual({
    sinceMs: NOW_MS - 7 * HOUR_MS,
    untilMs: NOW_MS - 3 * HOUR_MS,
  });
  const newest = { sinceMs: NOW_MS - HOUR_MS, untilMs: NOW_MS };
  expect(zoomOut(newest, NOW_MS, null)).toEqual({ sinceMs: NOW_MS - 2 * HOUR_MS, untilMs: null });
  expect(zoomOut(newest, NOW_MS, NOW_MS - 1.5 * HOUR_MS)).toEqual({
    sinceMs: NOW_MS - 1.5 * HOUR_MS,
    untilMs: null,
  });
});

it('HP12 the labels of an axis have room at any width and any range, and lie on it', async () => {
  for (let round = 0; round < 400; round += 1) {
    await seeded((random) => {
      const fromMs = NOW_MS - random.int(0, 400 * 24 * HOUR_MS);
      const longest = random.pick([1, 24, 400 * 24]) * HOUR_MS;
      const toMs = fromMs + random.int(MINUTE_MS, longest);
      const width = random.int(60, 1_400);
      const ticks = timeTicks(fromMs, toMs, width);
      for (const [n, { ms, label }] of ticks.entries()) {
        expect(ms >= fromMs && ms <= toMs).toBe(true);
        // Six pixels for a character of this size.
        expect(label.length * 6).toBeLessThanOrEqual(LABEL_WIDTH);
        const before = ticks[n - 1];
        if (before === undefined) continue;
        const apart = (width * (ms - before.ms)) / (toMs - fromMs);
        // A day that has one hour less moves it.
        expect(apart).toBeGreaterThan(0.85 * LABEL_WIDTH);
      }
    });
  }
  expect(timeTicks(NOW_MS, NOW_MS, 500)).toEqual([]);
});

it('HP5 the charts have at most sixty bars, and end where the range does', () => {
  for (const hours of [0.02, 1, 5, 24, 100, 168, 2_000]) {
    const range = { sinceMs: NOW_MS - hours * HOUR_MS, untilMs: NOW_MS - 1 };
    const { seconds, bucket, until } = chartSpan(range, NOW_MS);
    expect(seconds / bucket).toBeLessThanOrEqual(60);
    expect(seconds).toBeLessThanOrEqual(604_800);
    expect(until).toBe(new Date(NOW_MS - 1).toISOString());
  }
  expect(chartSpan({ name: 'week' }, NOW_MS)).toEqual({
    seconds: 604_800,
    bucket: 10_800,
    until: null,
  });
});

it('HP8 older pages stay below the newest, each unit once', () => {
  const unit = (id: string, restarts = 0) => aLoop({ id, restarts });
  const joined = joinPages([unit('c', 1), unit('b')], [unit('c'), unit('a')]);
  expect(joined.map(({ id, restarts }) => `${id}${restarts}`)).toEqual(['c1', 'b0', 'a0']);
});

it('HP4 a loop is started again in its session if that is free, and not while its task is at work', () => {
  const session = { name: 'web' } as LiveWork['sessions'][string];
  const loopOn = (name: string, task_dir: string, status = 'running') =>
    ({
      [name]: { loop: { session_name: name, task_dir, status }, readAt: 0 },
    }) as unknown as LiveWork['loops'];
  const work = (change: Partial<LiveWork>) => ({
    ...EMPTY_WORK,
    sessions: { web: session },
    ...change,
  });
  const prefill = (unit: Partial<HistoryUnit>, change: Partial<LiveWork> = {}) =>
    restartPrefill(aLoop(unit), work(change));
  const here = { session: 'web', taskDir: '/tasks/parser' };
  expect(prefill({})).toEqual(here);
  expect(prefill({}, { sessions: {} })).toEqual({ ...here, session: null });
  expect(prefill({}, { loops: loopOn('web', '/tasks/other') })).toEqual({ ...here, session: null });
  expect(prefill({}, { loops: loopOn('web', '/tasks/parser', 'failed') })).toEqual(here);
  expect(prefill({}, { loops: loopOn('cli', '/tasks/parser') })).toBeNull();
  for (const unit of [
    { state: 'working' },
    { agent: 'stand-in' },
    { project: null },
    { kind: 'task' },
  ]) {
    expect(prefill(unit as Partial<HistoryUnit>)).toBeNull();
  }
});
