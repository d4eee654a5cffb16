/** From signal to subscriber where the system's watch reports nothing and only polling finds it. */
import { setTimeout as pause } from 'node:timers/promises';
import { SubscriberSockets } from '../load/subscriber-sockets.ts';
import type { Pace } from '../pace.ts';
import { type Figure, timeFigures } from '../report/figures.ts';
import { Rig } from '../rig/rig.ts';
import { Stopwatch } from './stopwatch.ts';

const LOOPS = 20;
const POLL_MS = 2_000;
/** Together a thousand signals. */
const ROUNDS = 50;
const QUICK_ROUNDS = 8;

/** Makes the watch of every directory fail, as on a machine out of inotify watches. */
const BLIND =
  'data:text/javascript,import fs from "node:fs";import{syncBuiltinESMExports}from"node:module";' +
  'fs.watch=()=>{throw Object.assign(new Error("ENOSPC"),{code:"ENOSPC"})};syncBuiltinESMExports();';

export async function blindLatency({ isQuick }: Pace): Promise<Figure[]> {
  await using rig = new Rig({
    LOOPWATCH_SIGNAL_POLL_MS: String(POLL_MS),
    NODE_OPTIONS: `--import=${encodeURI(BLIND)}`,
  });
  await rig.start();
  const directories = await rig.startLoops(0, LOOPS);
  const stopwatch = new Stopwatch(1);
  stopwatch.begin();
  using sockets = new SubscriberSockets((bytes) => stopwatch.received(bytes.toString('latin1')));
  await sockets.open(rig.target, 1);
  for (let round = 0; round < (isQuick ? QUICK_ROUNDS : ROUNDS); round += 1) {
    await Promise.all(
      [...directories.values()].map(async (directory) => {
        await pause(Math.random() * POLL_MS);
        await stopwatch.send(directory);
      }),
    );
    await stopwatch.all();
    sockets.answerPings();
  }
  return timeFigures(`signal to subscriber, watch missed, poll ${POLL_MS} ms`, stopwatch.rounds);
}
