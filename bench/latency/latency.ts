/** From an event's beginning to its receipt by every one of a thousand subscribers, at a gentle pace. */
import { CONTENDERS, type ContenderName } from '../contenders/contender.ts';
import { Audience } from '../load/audience.ts';
import type { Pace } from '../pace.ts';
import type { Figure } from '../report/figures.ts';
import { median, medianRatio, turned } from '../report/statistics.ts';

const SUBSCRIBERS = 1_000;
const EVENTS_A_SECOND = 20;
const WARM_EVENTS = 20;

/** p99 against bare uWebSockets.js. */
const GOALS: Partial<Record<ContenderName, number>> = {
  'loopwatch-ws': 1.2,
  'loopwatch-uws': 1.05,
};

export async function latency(pace: Pace): Promise<Figure[]> {
  const names = Object.keys(CONTENDERS) as ContenderName[];
  const reached = new Map(
    names.map((name) => [name, { p50: [] as number[], p99: [] as number[] }]),
  );
  const count = (EVENTS_A_SECOND * 2 * pace.measureMs) / 1_000;
  for (let round = 0; round < pace.rounds; round += 1) {
    for (const name of turned(names, round)) {
      await using audience = new Audience(name);
      await audience.admit(SUBSCRIBERS);
      await audience.pace(EVENTS_A_SECOND, WARM_EVENTS);
      const { latency: times, events } = await audience.pace(EVENTS_A_SECOND, count);
      if (times?.count !== events * SUBSCRIBERS)
        throw new Error(`${name}: a receipt was not timed`);
      reached.get(name)?.p50.push(times.p50);
      reached.get(name)?.p99.push(times.p99);
    }
  }
  const title = `${SUBSCRIBERS} subscribers, ${EVENTS_A_SECOND} events/s`;
  const bare = reached.get('bare-uws')?.p99 ?? [];
  return [...reached].flatMap(([name, { p50, p99 }]) => {
    const goal = GOALS[name];
    const rows: Figure[] = [
      { name: `${title}: ${CONTENDERS[name]}, p50`, value: median(p50), unit: 'ms' },
      { name: `${title}: ${CONTENDERS[name]}, p99`, value: median(p99), unit: 'ms' },
    ];
    if (goal === undefined) return rows;
    const against = CONTENDERS['bare-uws'];
    return [
      ...rows,
      {
        name: `${title}: ${CONTENDERS[name]} against ${against}, p99`,
        value: medianRatio(p99, bare),
        unit: '×',
        goal: { direction: 'at most', value: goal, against },
      },
    ];
  });
}
