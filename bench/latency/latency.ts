/** From an event's creation to its receipt by every one of a thousand subscribers, at a gentle pace. */
import { CONTENDERS, type ContenderName } from '../contenders/contender.ts';
import { Audience } from '../load/audience.ts';
import type { Pace } from '../pace.ts';
import type { Figure } from '../report/figures.ts';
import { median, medianRatio, turned } from '../report/statistics.ts';
import type { Undisturbed } from './undisturbed.ts';

const SUBSCRIBERS = 1_000;
const EVENTS_A_SECOND = 20;
const WARM_EVENTS = 20;
/** With fewer events the slowest hundredth is a single event and measures the machine instead. */
const LONGER = 4;

/** p99 against bare uWebSockets.js. */
const GOALS: Partial<Record<ContenderName, number>> = {
  'loopwatch-ws': 1.2,
  'loopwatch-uws': 1.05,
};

interface Reached {
  p50: number[];
  p99: number[];
  undisturbed: Undisturbed[];
}

export async function latency(pace: Pace): Promise<Figure[]> {
  const names = Object.keys(CONTENDERS) as ContenderName[];
  const reached = Object.fromEntries(
    names.map((name) => [name, { p50: [], p99: [], undisturbed: [] }]),
  ) as unknown as Record<ContenderName, Reached>;
  const count = (EVENTS_A_SECOND * LONGER * pace.measureMs) / 1_000;
  for (let round = 0; round < pace.rounds; round += 1) {
    for (const name of turned(names, round)) {
      await using audience = new Audience(name);
      await audience.admit(SUBSCRIBERS);
      await audience.pace(EVENTS_A_SECOND, WARM_EVENTS);
      const { latency: times, events } = await audience.pace(EVENTS_A_SECOND, count);
      if (times?.count !== events * SUBSCRIBERS)
        throw new Error(`${name}: a receipt was not timed`);
      reached[name].p50.push(times.p50);
      reached[name].p99.push(times.p99);
      reached[name].undisturbed.push(times.undisturbed);
    }
  }
  return names.flatMap((name) => rows(name, reached, count * pace.rounds));
}

function rows(
  name: ContenderName,
  reached: Record<ContenderName, Reached>,
  events: number,
): Figure[] {
  const title = `${SUBSCRIBERS} subscribers, ${EVENTS_A_SECOND} events/s: ${CONTENDERS[name]}`;
  const { p50, p99, undisturbed } = reached[name];
  const counted = undisturbed.reduce((sum, { events: those }) => sum + those, 0);
  const figures: Figure[] = [
    { name: `${title}, p50`, value: median(p50), unit: 'ms' },
    { name: `${title}, p99`, value: median(p99), unit: 'ms' },
    {
      name: `${title}, p99 undisturbed`,
      value: medianOf(undisturbed),
      unit: 'ms',
      remark: `${counted} of ${events} events`,
    },
  ];
  const goal = GOALS[name];
  if (goal === undefined) return figures;
  const against = CONTENDERS['bare-uws'];
  const bare = reached['bare-uws'];
  return [
    ...figures,
    {
      name: `${title} against ${against}, p99 undisturbed`,
      value: medianRatio(...pairs(undisturbed, bare.undisturbed)),
      unit: '×',
      goal: { direction: 'at most', value: goal, against },
      remark: `over all events ${medianRatio(p99, bare.p99).toFixed(2)}×`,
    },
  ];
}

function medianOf(rounds: readonly Undisturbed[]): number {
  return median(rounds.flatMap(({ p99 }) => p99 ?? []));
}

/** The rounds in which both had enough undisturbed events. */
function pairs(own: readonly Undisturbed[], base: readonly Undisturbed[]): [number[], number[]] {
  const both = own.flatMap(({ p99 }, round): [number, number][] => {
    const other = base[round]?.p99 ?? null;
    return p99 === null || other === null ? [] : [[p99, other]];
  });
  return [both.map(([value]) => value), both.map(([, value]) => value)];
}
