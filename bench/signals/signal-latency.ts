/**
 * From the rename of `.auto-signal` to its event at every subscriber: the daemon with its durable
 * log, the usual stack, and the least a machine needs. They alternate, so that all meet the same
 * machine.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { SubscriberSockets, type SubscriberTarget } from '../load/subscriber-sockets.ts';
import type { Pace } from '../pace.ts';
import { type Figure, timeFigures } from '../report/figures.ts';
import { percentile } from '../report/statistics.ts';
import { Rig } from '../rig/rig.ts';
import { Stopwatch } from './stopwatch.ts';
import { UsualStack } from './usual-stack.ts';
import { WatchedDirectories } from './watched-directories.ts';

const LOOPS = [20, 200];
const SUBSCRIBERS = [1, 100];
const SIGNALS_A_ROUND = 200;
/** One directory is polled at most ten times a second; its next signal comes after twice that. */
const BETWEEN_SIGNALS_MS = 10;
/** The waiting agents draw nothing; the daemon says so of each once, 12 s after its start. */
const SETTLED_MS = 15_000;
/** The goals apply to this number. */
const JUDGED_SUBSCRIBERS = 100;
const GOALS: Record<number, { p50?: number; p99?: number }> = {
  20: { p50: 1.5, p99: 6 },
  200: { p99: 15 },
};
const TIMES_THE_USUAL_STACK = 70;

interface Runner {
  places: readonly string[];
  stopwatch: Stopwatch;
}

export async function signalLatency(pace: Pace): Promise<Figure[]> {
  await using rig = new Rig();
  await rig.start();
  const places: string[] = [];
  const figures: Figure[] = [];
  for (const loops of pace.isQuick ? LOOPS.slice(0, 1) : LOOPS) {
    places.push(...(await rig.startLoops(places.length, loops)).values());
    await using usual = new UsualStack(loops);
    await pause(SETTLED_MS);
    for (const subscribers of SUBSCRIBERS) {
      figures.push(...(await compare(rig.target, places, usual, subscribers, pace.rounds)));
    }
  }
  return figures;
}

async function compare(
  target: SubscriberTarget,
  places: readonly string[],
  usual: UsualStack,
  subscribers: number,
  rounds: number,
): Promise<Figure[]> {
  const daemon: Runner = { places, stopwatch: new Stopwatch(subscribers) };
  const others: Runner = { places: usual.places, stopwatch: new Stopwatch(subscribers) };
  using daemonSockets = socketsOf(daemon);
  using usualSockets = socketsOf(others);
  await daemonSockets.open(target, subscribers);
  await usualSockets.open(await usual.target(), subscribers);
  const floor = new Stopwatch(1);
  using directories = new WatchedDirectories(places.length, (text) => floor.received(text));
  const least: Runner = { places: directories.places, stopwatch: floor };
  for (let round = 0; round < rounds; round += 1) {
    for (const runner of [least, daemon, others]) await runRound(runner);
  }
  const name = `signal to ${subscribers} subscribers, ${places.length} loops`;
  const goals = subscribers === JUDGED_SUBSCRIBERS ? GOALS[places.length] : undefined;
  const [own, theirs] = [daemon.stopwatch.samples, others.stopwatch.samples];
  return [
    ...timeFigures(`${name}: Loopwatch, durable`, own, goals),
    ...timeFigures(`${name}: the usual stack`, theirs),
    ...timeFigures(`${name}: watch, read and parse in one process`, floor.samples),
    {
      name: `${name}: the usual stack against Loopwatch, p50`,
      value: percentile(theirs, 0.5) / percentile(own, 0.5),
      unit: '×',
      ...(goals && {
        goal: { direction: 'at least', value: TIMES_THE_USUAL_STACK, against: 'Loopwatch' },
      }),
    },
  ];
}

function socketsOf({ stopwatch }: Runner): SubscriberSockets {
  return new SubscriberSockets((bytes) => stopwatch.received(bytes.toString('latin1')));
}

async function runRound({ places, stopwatch }: Runner): Promise<void> {
  for (let n = 0; n < SIGNALS_A_ROUND; n += 1) {
    await stopwatch.send(places[n % places.length] ?? '');
    await pause(BETWEEN_SIGNALS_MS);
  }
  await stopwatch.all();
}
