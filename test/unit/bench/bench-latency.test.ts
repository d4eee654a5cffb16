/** Which events of the bench count for a latency. */
import { expect, it } from 'vitest';
import { undisturbed } from '../../../bench/latency/undisturbed.ts';
import { timed } from '../../../bench/load/timed.ts';
import { coreWaitMs } from '../../../bench/rig/core-wait.ts';

it('BE5 events during which a process waited for a core are left out, and the number of the others is reported', () => {
  const ages = Array.from({ length: 25 }, (_, event) => [1, 2, event]);
  const waited: number[] = ages.map((_, event) => (event < 3 ? 7 : 0.5));
  expect(undisturbed(ages, waited)).toEqual({ events: 22, p99: 24 });
  waited[24] = 0.51;
  waited[23] = -0.2;
  expect(undisturbed(ages, waited)).toEqual({ events: 21, p99: 23 });
});

it('BE5 with too few such events, or where waits are unknown, there is no figure', () => {
  const ages = Array.from({ length: 19 }, () => [1]);
  expect(
    undisturbed(
      ages,
      ages.map(() => 0),
    ),
  ).toEqual({ events: 19, p99: null });
  expect(undisturbed([...ages, [1], [1]], [])).toEqual({ events: 0, p99: null });
});

it('BE5 a process that has ended waits for nothing', () => {
  expect(Number.isFinite(coreWaitMs(process.pid))).toBe(true);
  expect(coreWaitMs(2 ** 30)).toBe(0);
});

it('BE8 what was held up counts from when it was due', async () => {
  const took = [10, 60, 1, 1, 1];
  const pauses: number[] = [];
  const samples = await timed(
    took.length,
    () => 25,
    async () => Promise.resolve(took.shift() ?? NaN),
    async (ms) => Promise.resolve(pauses.push(ms)),
  );
  expect(samples).toEqual([10, 60, 36, 12, 1]);
  expect(pauses).toEqual([15, 13, 24]);
});
