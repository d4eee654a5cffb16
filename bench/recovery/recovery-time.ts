/** How long a daemon that was killed takes until each of its loops has processed what it missed. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SIGNAL_FILE } from '../../shared/schema/loops/auto-signal.ts';
import type { Loop } from '../../shared/schema/model.ts';
import { appendEvents } from '../log/append-events.ts';
import type { Pace } from '../pace.ts';
import type { Figure } from '../report/figures.ts';
import { cpuMs } from '../rig/process-cost.ts';
import { Rig } from '../rig/rig.ts';

const LOOPS = 50;
/** Of a full run: sessions without a loop, and events that the daemon keeps. */
const SHELLS = 150;
const EVENTS = 1_000_000;
const EVENTS_A_TRANSACTION = 1_000;
const POLL_EVERY_MS = 10;

const MISSED =
  'Missed: before the daemon listens, Node takes 60 ms and loading our modules 200; opening the ' +
  'database and the log takes 30, finding what each session and loop left 100, routes and services ' +
  '50. Compiled modules could be kept between two starts from Node 22 on; that would save about 120.';

export async function recoveryTime({ isQuick }: Pace): Promise<Figure[]> {
  await using rig = new Rig();
  if (!isQuick) appendEvents(rig.home, EVENTS, EVENTS_A_TRANSACTION);
  await rig.start();
  if (!isQuick) await rig.openShells(0, SHELLS);
  const directories = [...(await rig.startLoops(0, LOOPS)).values()];
  const one = await recover(rig, directories, 1);
  const all = await recover(rig, directories, 2);
  const rest = isQuick ? '' : `, ${LOOPS + SHELLS} sessions, ${EVENTS} events`;
  const name = `${LOOPS} loops${rest} after kill -9`;
  return [
    {
      name: `${name}: until the daemon listens`,
      value: all.listeningMs,
      unit: 'ms',
      goal: { direction: 'at most', value: 300, ifMissed: MISSED },
      remark: `${one.listeningMs.toFixed(0)} ms the time before`,
    },
    {
      name: `${name}: until every loop is watched`,
      value: all.watchedMs,
      unit: 'ms',
      goal: { direction: 'at most', value: 1_500 },
      remark: `${one.watchedMs.toFixed(0)} ms the time before`,
    },
    {
      name: `${name}: processor time until then`,
      value: all.cpuMs,
      unit: 'ms',
      goal: { direction: 'at most', value: 2_000 },
    },
  ];
}

/** Kills the daemon, leaves a signal for each loop and starts the next daemon. */
async function recover(rig: Rig, directories: readonly string[], iteration: number) {
  await rig.kill();
  for (const directory of directories) putSignal(directory, iteration);
  const began = performance.now();
  await rig.start();
  const listeningMs = performance.now() - began;
  for (;;) {
    const { loops } = (await rig.get('/api/task-auto')) as { loops: Loop[] };
    if (loops.every((loop) => loop.iteration === iteration)) break;
    await pause(POLL_EVERY_MS);
  }
  return { listeningMs, watchedMs: performance.now() - began, cpuMs: cpuMs([rig.pid]) };
}

function putSignal(directory: string, iteration: number): void {
  const signal = { step: 'check', result: 'PASS', next: 'exec', iteration };
  const file = join(directory, SIGNAL_FILE);
  writeFileSync(`${file}.new`, JSON.stringify({ ...signal, timestamp: new Date().toISOString() }));
  renameSync(`${file}.new`, file);
}
