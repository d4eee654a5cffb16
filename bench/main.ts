/**
 * The figures of Loopwatch on this machine, as a table and one line of JSON. Everything happens in
 * temporary directories. On a shared machine quote the ratios, never the absolute figures.
 */
import { type Figure, report } from './figures.ts';
import { idleCost } from './idle-cost.ts';
import { appendSpeed, replaySpeed } from './log-speed.ts';
import { pageCost } from './page-cost.ts';
import { Rig } from './rig.ts';
import { screenCost } from './screen-cost.ts';
import { terminalLatency } from './terminal-latency.ts';
import { blindLatency, signalLatency } from './signal-latency.ts';

const LOOPS = 20;

async function measureLoops(): Promise<Figure[]> {
  await using rig = new Rig();
  await rig.start();
  const directories = await rig.startLoops(LOOPS);
  const idle = await idleCost(rig.pid, LOOPS);
  return [...(await signalLatency(rig, directories)), ...idle];
}

const parts = {
  log: async () => [...appendSpeed(), ...(await replaySpeed())],
  loops: async () => [...(await measureLoops()), ...(await blindLatency())],
  page: pageCost,
  terminals: async () => [...(await terminalLatency()), ...(await screenCost())],
};
/** Named parts only, or all. */
const wanted = process.argv.slice(2);
const figures: Figure[] = [];
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length === 0 || wanted.includes(name)) figures.push(...(await measure()));
}
process.stdout.write(`${report(figures).join('\n')}\n`);
