/** The windows of the plan against the clock. */
import { expect, it } from 'vitest';
import { everyDay, sharesOf, workOf } from '../../../web/lib/usage/figures.ts';
import { paceOf } from '../../../web/lib/usage/pace.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-11-23T12:00:00Z');

function window(used: number, resetInHours: number, readHoursAgo = 0) {
  const time = (hours: number) => new Date(NOW + hours * HOUR_MS).toISOString();
  return {
    used_percent: used,
    resets_at: time(resetInHours),
    read_at: time(-readHoursAgo),
    session: 'web',
    host: null,
  };
}

it.each([
  ['ahead', window(60, 3), 60, 40],
  ['on', window(44, 3), 44, 40],
  ['under', window(10, 3), 10, 40],
  ['full', window(120, 3), 100, 40],
  // The figure is compared with the time over when it was read.
  ['ahead', window(30, 1, 3), 30, 80],
  ['reset', window(90, -0.5, 1), null, null],
] as const)('US43 US44 a window is %s', (kind, seen, used, gone) => {
  const pace = paceOf('five_hour', seen, NOW);
  expect(pace).toMatchObject({ kind, usedPercent: used });
  expect(pace.gonePercent === null ? null : Math.round(pace.gonePercent)).toBe(gone);
});

it('US43 every day of the range has a row; bars compare cost, and tokens where there is none', () => {
  const witness = { sources: [], latest_at: '2026-11-23T00:00:00Z' };
  const cost = (micro_usd: number) => ({ tokens: null, cost: { micro_usd, ...witness } });
  const tokens = (output: number) => ({
    tokens: { input: 0, output, cache_read: 0, cache_write: 0, ...witness },
    cost: null,
  });
  const rows = [{ key: '2026-11-23', ...cost(5), parts: [] }];
  const days = everyDay(rows, ['2026-11-23', '2026-11-22']);
  expect(days.map(({ key, cost: of }) => [key, of?.micro_usd])).toEqual([
    ['2026-11-23', 5],
    ['2026-11-22', undefined],
  ]);
  expect(sharesOf([cost(10), cost(5), tokens(900)])).toEqual([1, 0.5, 0]);
  expect(sharesOf([tokens(900), tokens(0)])).toEqual([1, 0]);
  expect(workOf('run:a:b')).toEqual({ kind: 'run', name: 'a:b', path: '/runs/a%3Ab' });
  expect(workOf('host:x').path).toBeNull();
});
