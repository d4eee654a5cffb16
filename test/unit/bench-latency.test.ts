/** Which events of the bench count for a latency. */
import { expect, it } from 'vitest';
import { undisturbed } from '../../bench/latency/undisturbed.ts';
import { coreWaitMs } from '../../bench/rig/core-wait.ts';

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
