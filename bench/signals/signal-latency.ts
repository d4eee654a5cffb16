/**
 * From the rename of `.auto-signal` to its event at every subscriber: the daemon with its durable
 * log, the usual stack, and the least a machine needs. They alternate, so that all meet the same
 * machine.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SubscriberSockets, type SubscriberTarget } from '../load/subscriber-sockets.ts';
import { appendEvents } from '../log/append-events.ts';
import type { Pace } from '../pace.ts';
import { type Figure, timeFigures } from '../report/figures.ts';
import { median, percentile } from '../report/statistics.ts';
import { Rig } from '../rig/rig.ts';
import { Stopwatch } from './stopwatch.ts';
import { UsualStack } from './usual-stack.ts';
import { WatchedDirectories } from './watched-directories.ts';

const LOOPS = [20, 200];
const SUBSCRIBERS = [1, 100];
const SIGNALS_A_ROUND = 200;
const APPENDS = 1_000;
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
const MISSED =
  'Missed: the stages are in the last rows. The transaction of a signal (event, state of the loop, their ' +
  'indexes) is ten pages of the log of SQLite and one wait for the disk. A hundred subscribers are a ' +
  'hundred writes of the kernel, one after the other, and the process that receives them here needs as ' +
  'long again. Less would need fewer indexes, and subscribers spread over processes.';

/** With one number of subscribers. */
interface Reached {
  subscribers: number;
  figures: Figure[];
  /** The p50 of Loopwatch, and of a watch in one process, in ms. */
  ownMs: number;
  floorMs: number;
}

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
    const reached: Reached[] = [];
    for (const subscribers of SUBSCRIBERS) {
      reached.push(await compare(rig.target, places, usual, subscribers, pace.rounds));
    }
    figures.push(...reached.flatMap((each) => each.figures), ...budget(loops, reached));
  }
  return figures;
}

async function compare(
  target: SubscriberTarget,
  places: readonly string[],
  usual: UsualStack,
  subscribers: number,
  rounds: number,
): Promise<Reached> {
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
  const [own, theirs] = [daemon.stopwatch.rounds, others.stopwatch.rounds];
  const figures: Figure[] = [
    ...timeFigures(`${name}: Loopwatch, durable`, own, goals && { ...goals, ifMissed: MISSED }),
    ...timeFigures(`${name}: the usual stack`, theirs),
    ...timeFigures(`${name}: watch, read and parse in one process`, floor.rounds),
    {
      name: `${name}: the usual stack against Loopwatch, p50`,
      value: middle(theirs) / middle(own),
      unit: '×',
      ...(goals && {
        goal: {
          direction: 'at least',
          value: TIMES_THE_USUAL_STACK,
          against: 'Loopwatch',
          ifMissed: MISSED,
        },
      }),
    },
  ];
  return { subscribers, figures, ownMs: middle(own), floorMs: middle(floor.rounds) };
}

/** What the p50 consists of: each stage by what it adds to the one before. */
function budget(loops: number, [one, many]: readonly Reached[]): Figure[] {
  if (one === undefined || many === undefined) return [];
  const home = mkdtempSync(join(tmpdir(), 'lwb-'));
  const appendMs = 1_000 / appendEvents(home, APPENDS, 1);
  rmSync(home, { recursive: true });
  const stages = {
    'a process that watches sees, reads and parses it': one.floorMs,
    'a durable append to the log': appendMs,
    'the rest of the daemon, for one subscriber': one.ownMs - one.floorMs - appendMs,
    [`${many.subscribers - 1} subscribers more`]: many.ownMs - one.ownMs,
  };
  return Object.entries(stages).map(([stage, value]) => ({
    name: `${loops} loops, of the p50: ${stage}`,
    value,
    unit: 'ms',
  }));
}

function socketsOf({ stopwatch }: Runner): SubscriberSockets {
  return new SubscriberSockets((bytes) => stopwatch.received(bytes.toString('latin1')));
}

/** The p50 of the middle round. */
function middle(rounds: readonly (readonly number[])[]): number {
  return median(rounds.map((samples) => percentile(samples, 0.5)));
}

async function runRound({ places, stopwatch }: Runner): Promise<void> {
  stopwatch.begin();
  for (let n = 0; n < SIGNALS_A_ROUND; n += 1) {
    await stopwatch.send(places[n % places.length] ?? '');
    await pause(BETWEEN_SIGNALS_MS);
  }
  await stopwatch.all();
}
