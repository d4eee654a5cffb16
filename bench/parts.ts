/** What can be measured, by the name it is asked for. */
import { fanOut } from './fan-out/fan-out.ts';
import { latency } from './latency/latency.ts';
import { appendSpeed, replaySpeed } from './log/log-speed.ts';
import { memory } from './memory/memory.ts';
import type { Pace } from './pace.ts';
import { pageCost } from './page/page-cost.ts';
import type { Figure } from './report/figures.ts';
import { idleCost } from './rig/process-cost.ts';
import { Rig } from './rig/rig.ts';
import { screenCost } from './screens/screen-cost.ts';
import { terminalLatency } from './screens/terminal-latency.ts';
import { blindLatency, signalLatency } from './signals/signal-latency.ts';

const LOOPS = 20;

async function measureLoops(): Promise<Figure[]> {
  await using rig = new Rig();
  await rig.start();
  const directories = await rig.startLoops(LOOPS);
  const idle = await idleCost(rig.pid, LOOPS);
  return [...(await signalLatency(rig, directories)), ...idle];
}

export const PARTS: Readonly<Record<string, (pace: Pace) => Promise<Figure[]>>> = {
  'fan-out': fanOut,
  latency,
  memory,
  log: async () => [...appendSpeed(), ...(await replaySpeed())],
  loops: async () => [...(await measureLoops()), ...(await blindLatency())],
  page: pageCost,
  terminals: async () => [...(await terminalLatency()), ...(await screenCost())],
};
