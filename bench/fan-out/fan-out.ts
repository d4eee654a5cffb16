/**
 * One stream of events to many subscribers, as fast as they take it: one event per tick, and ten.
 * Contenders alternate within a round and are compared with the others of that round.
 */
import { CONTENDERS, type ContenderName } from '../contenders/contender.ts';
import { Audience } from '../load/audience.ts';
import type { Pace } from '../pace.ts';
import { type Figure, type Goal, spread } from '../report/figures.ts';
import { median, medianRatio, ratios, turned } from '../report/statistics.ts';

const SUBSCRIBERS = [100, 1_000, 5_000];
const MODES = { single: 1, burst: 10 } as const;
type Mode = keyof typeof MODES;
/** The goals apply to this number. */
const JUDGED_SUBSCRIBERS = 1_000;
/** Above this share of time spent waiting, the generator was the limit. */
const MAX_WAITED_SHARE = 0.1;

const MISSED =
  'Missed: with engine ws most of the time is one write of the kernel for each subscriber, the same 3.8 µs ' +
  'for all who use Node’s sockets; uWebSockets.js saves what Node adds to each. Who needs more turns on ' +
  'the engine uws.';

const GOALS: Partial<Record<ContenderName, Record<Mode, [ContenderName, number][]>>> = {
  'loopwatch-ws': {
    single: [
      ['socket-io', 1.6],
      ['naive-ws', 1.3],
    ],
    burst: [
      ['socket-io', 11],
      ['bare-uws', 0.85],
    ],
  },
  'loopwatch-uws': { single: [['bare-uws', 0.97]], burst: [['bare-uws', 1]] },
};

/** What one contender reached, per round. */
interface Reached {
  perSecond: number[];
  cpuMicroseconds: number[];
  waited: number[];
  generator: number[];
}

type Table = Map<string, Reached>;

export async function fanOut(pace: Pace): Promise<Figure[]> {
  const sizes = pace.isQuick ? [JUDGED_SUBSCRIBERS] : SUBSCRIBERS;
  const names = Object.keys(CONTENDERS) as ContenderName[];
  const table: Table = new Map();
  for (const subscribers of sizes) {
    for (let round = 0; round < pace.rounds; round += 1) {
      for (const name of turned(names, round)) await runOne(table, name, subscribers, pace);
    }
  }
  return sizes.flatMap((subscribers) =>
    (Object.keys(MODES) as Mode[]).flatMap((mode) => figuresOf(table, names, subscribers, mode)),
  );
}

async function runOne(
  table: Table,
  name: ContenderName,
  subscribers: number,
  { warmMs, measureMs }: Pace,
): Promise<void> {
  await using audience = new Audience(name);
  await audience.admit(subscribers);
  for (const mode of Object.keys(MODES) as Mode[]) {
    await audience.saturate(MODES[mode], warmMs);
    const run = await audience.saturate(MODES[mode], measureMs);
    const deliveries = run.events * subscribers;
    const reached = reachedBy(table, name, subscribers, mode);
    reached.perSecond.push((deliveries / run.ms) * 1_000);
    reached.cpuMicroseconds.push((run.cpuMs / deliveries) * 1_000);
    reached.waited.push(run.waitedMs / run.ms);
    reached.generator.push(run.cpuShare);
  }
}

function figuresOf(
  table: Table,
  names: readonly ContenderName[],
  subscribers: number,
  mode: Mode,
): Figure[] {
  const reachedOf = (name: ContenderName) => reachedBy(table, name, subscribers, mode);
  const title = `${subscribers} subscribers, ${mode}`;
  return names.flatMap((name) => {
    const reached = reachedOf(name);
    const goals = subscribers === JUDGED_SUBSCRIBERS ? (GOALS[name]?.[mode] ?? []) : [];
    const ratio = (base: ContenderName) =>
      medianRatio(reached.perSecond, reachedOf(base).perSecond);
    // What it would be on an idle machine.
    const byCpu = (base: ContenderName) =>
      medianRatio(reachedOf(base).cpuMicroseconds, reached.cpuMicroseconds);
    return [
      {
        name: `${title}: ${CONTENDERS[name]}`,
        value: median(reached.perSecond),
        unit: 'deliveries/s',
        remark: remarkOn(reached, ratio('socket-io')),
      },
      ...goals.map(([base, value]): Figure => {
        const goal: Goal = {
          direction: 'at least',
          value,
          against: CONTENDERS[base],
          ifMissed: MISSED,
        };
        const against = `${title}: ${CONTENDERS[name]} against ${CONTENDERS[base]}`;
        const { remark: rounds = '' } = spread(
          ratios(reached.perSecond, reachedOf(base).perSecond),
        );
        const remark = `${rounds}; by CPU time ${byCpu(base).toFixed(2)}×`;
        return { name: against, value: ratio(base), unit: '×', goal, remark };
      }),
    ];
  });
}

function remarkOn(reached: Reached, ratio: number): string {
  const waited = median(reached.waited);
  return [
    `${ratio.toFixed(2)}× Socket.IO`,
    `${median(reached.cpuMicroseconds).toFixed(2)} µs CPU each`,
    `generator ${(median(reached.generator) * 100).toFixed(0)} %`,
    ...(waited > MAX_WAITED_SHARE
      ? [`**the generator was the limit**: waited ${(waited * 100).toFixed(0)} %`]
      : []),
  ].join(', ');
}

function reachedBy(table: Table, name: ContenderName, subscribers: number, mode: Mode): Reached {
  const key = `${name} ${subscribers} ${mode}`;
  const known = table.get(key) ?? { perSecond: [], cpuMicroseconds: [], waited: [], generator: [] };
  table.set(key, known);
  return known;
}
