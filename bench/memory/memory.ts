/** What one more subscriber that hears nothing costs a server in memory; the kernel's part is not counted. */
import { CONTENDERS, type ContenderName } from '../contenders/contender.ts';
import { Audience } from '../load/audience.ts';
import type { Pace } from '../pace.ts';
import type { Figure } from '../report/figures.ts';
import { median, turned } from '../report/statistics.ts';

const SUBSCRIBERS = 5_000;
/**
 * Let in before: what serves any subscriber at all is not counted, nor the space for young objects,
 * which grows by tens of MB once with the first handshakes, whoever comes later.
 */
const FIRST_SUBSCRIBERS = 4_000;

const GOALS: Partial<Record<ContenderName, number>> = {
  'loopwatch-ws': 10,
  'loopwatch-uws': 1.5,
};

export async function memory({ rounds }: Pace): Promise<Figure[]> {
  const names = Object.keys(CONTENDERS) as ContenderName[];
  const reached = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of turned(names, round)) {
      await using audience = new Audience(name);
      await audience.admit(FIRST_SUBSCRIBERS);
      const before = await audience.memory();
      await audience.admit(SUBSCRIBERS);
      const grown = (await audience.memory()) - before;
      reached.get(name)?.push(grown / SUBSCRIBERS / 1_024);
    }
  }
  return [...reached].map(([name, kilobytes]): Figure => {
    const goal = GOALS[name];
    return {
      name: `memory of an idle subscriber, ${SUBSCRIBERS} of them: ${CONTENDERS[name]}`,
      value: median(kilobytes),
      unit: 'KB',
      ...(goal === undefined ? {} : { goal: { direction: 'at most', value: goal } }),
    };
  });
}
