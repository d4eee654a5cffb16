/** The memory one more idle subscriber costs a server; the kernel's part is not counted. */
import { CONTENDERS, type ContenderName } from '../contenders/contender.ts';
import { Audience } from '../load/audience.ts';
import type { Pace } from '../pace.ts';
import type { Figure } from '../report/figures.ts';
import { median, turned } from '../report/statistics.ts';

const SUBSCRIBERS = 5_000;
/** Connected first, so that the fixed cost of serving any subscriber is not counted. */
const FIRST_SUBSCRIBERS = 1_000;
/**
 * The garbage of many handshakes lets the space for young objects grow to tens of MB once,
 * whichever subscriber connects later. Held to one MB, it is not charged to the subscribers.
 */
const FLAGS = ['--max-semi-space-size=1'];

const GOALS: Partial<Record<ContenderName, number>> = {
  'loopwatch-ws': 10,
  'loopwatch-uws': 1.5,
};

export async function memory({ rounds }: Pace): Promise<Figure[]> {
  const names = Object.keys(CONTENDERS) as ContenderName[];
  const reached = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of turned(names, round)) {
      await using audience = new Audience(name, FLAGS);
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
