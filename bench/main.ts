/**
 * The figures of Loopwatch on this machine, as a table and one line of JSON. Everything happens in
 * temporary directories. On a shared machine quote the ratios, never the absolute figures.
 */
import { type Figure, report } from './figures.ts';
import { idleCost } from './idle-cost.ts';
import { appendSpeed, replaySpeed } from './log-speed.ts';
import { Rig } from './rig.ts';
import { blindLatency, signalLatency } from './signal-latency.ts';

const LOOPS = 20;

async function measureLoops(): Promise<Figure[]> {
  await using rig = new Rig();
  await rig.start();
  const directories = await rig.startLoops(LOOPS);
  const idle = await idleCost(rig.pid, LOOPS);
  return [...(await signalLatency(rig, directories)), ...idle];
}

const figures = [
  ...appendSpeed(),
  ...(await replaySpeed()),
  ...(await measureLoops()),
  ...(await blindLatency()),
];
process.stdout.write(`${report(figures).join('\n')}\n`);
