/** Which stored snapshots of a screen make room for others. */
import { expect, it } from 'vitest';
import { screensToDrop } from '../../../server/sessions/showing/screens-to-drop.ts';

it('SH3 SH12 ordinary snapshots thin out, are removed after a day and make room for moments, which stay', () => {
  const bounds = { limit: 6, maxBytes: 1_000, momentsMs: 7 * 86_400_000 };
  const now = 100 * 86_400_000;
  const minute = 60_000;
  const kept = (...ages: [ms: number, moment?: 'crash', bytes?: number][]) =>
    ages.map(([ms, moment, bytes = 10], index) => ({
      number: index + 1,
      atMs: now - ms,
      moment: moment ?? null,
      bytes,
    }));
  const drop = (screens: ReturnType<typeof kept>, isOpen = true, more = {}) =>
    screensToDrop(screens, now, { ...bounds, ...more }, isOpen);
  // One a minute after ten, all of them before.
  expect(drop(kept([12 * minute], [11.5 * minute], [11 * minute], [20_000], [15_000]))).toEqual([
    2,
  ]);
  expect(drop(kept([30 * 3_600_000], [25 * 3_600_000, 'crash'], [1_000]))).toEqual([1]);
  expect(drop(kept([8 * 86_400_000, 'crash'], [7.5 * 86_400_000]))).toEqual([1]);
  expect(drop(kept([8 * 86_400_000, 'crash'], [7.5 * 86_400_000]), false)).toEqual([1, 2]);
  // The last snapshot of a closed session stays as long as the event of its end.
  expect(drop(kept([3 * 86_400_000], [2 * 86_400_000]), false)).toEqual([1]);
  const many = kept(
    [8_000, 'crash'],
    [7_000],
    [6_000],
    [5_000, 'crash'],
    [4_000],
    [3_000],
    [2_000],
  );
  expect(drop(many)).toEqual([2]);
  expect(drop(many, true, { limit: 3 })).toEqual([2, 3, 5, 6]);
  expect(drop(many, true, { limit: 2 })).toEqual([2, 3, 5, 6, 1]);
  expect(
    drop(kept([3_000, 'crash', 600], [2_000, undefined, 300], [1_000, undefined, 300])),
  ).toEqual([2]);
  expect(drop(many, true, { limit: 0 })).toEqual([1, 2, 3, 4, 5, 6, 7]);
});
