/** Which events of the bench count for a latency. */
import { expect, it } from 'vitest';
import { undisturbed } from '../../bench/latency/undisturbed.ts';
import { coreWaitMs } from '../../bench/rig/core-wait.ts';

it('BE5 events during which somebody waited for a core are left out, and how many are left is said', () => {
  const ages = [
    [1, 2, 3],
    [50, 60],
    [4, 5],
  ];
  expect(undisturbed(ages, [0, 7, 0.5])).toEqual({ events: 2, p50: 3, p99: 5 });
  expect(undisturbed(ages, [-0.2, 0.51, 3])).toEqual({ events: 1, p50: 2, p99: 3 });
});

it('BE5 a run without one undisturbed event says so in place of a figure', () => {
  expect(undisturbed([[1]], [9])).toEqual({ events: 0, p50: NaN, p99: NaN });
  expect(undisturbed([], [])).toEqual({ events: 0, p50: NaN, p99: NaN });
});

it('BE5 the wait of a process that is gone is none', () => {
  expect(Number.isFinite(coreWaitMs(process.pid))).toBe(true);
  expect(coreWaitMs(2 ** 30)).toBe(0);
});
