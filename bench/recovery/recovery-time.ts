/** How long a daemon that was killed takes until each of its loops has processed what it missed. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SIGNAL_FILE } from '../../shared/schema/loops/auto-signal.ts';
import type { Loop } from '../../shared/schema/model.ts';
import type { Figure } from '../report/figures.ts';
import { cpuMs } from '../rig/process-cost.ts';
import { Rig } from '../rig/rig.ts';

const LOOPS = 50;
const POLL_EVERY_MS = 10;

export async function recoveryTime(): Promise<Figure[]> {
  await using rig = new Rig();
  await rig.start();
  const directories = [...(await rig.startLoops(0, LOOPS)).values()];
  const one = await recover(rig, directories, 1);
  const all = await recover(rig, directories, 2);
  const name = `${LOOPS} loops after kill -9`;
  return [
    {
      name: `${name}: until the daemon listens`,
      value: all.listeningMs,
      unit: 'ms',
      remark: `${one.listeningMs.toFixed(0)} ms the time before`,
    },
    {
      name: `${name}: until every loop is watched`,
      value: all.watchedMs,
      unit: 'ms',
      goal: { direction: 'at most', value: 2_000 },
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
