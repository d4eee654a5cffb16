/** What a daemon and its terminals cost while fifty loops are idle. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pace } from '../pace.ts';
import type { Figure } from '../report/figures.ts';
import { cpuShares, processesWith, residentBytes } from '../rig/process-cost.ts';
import { Rig } from '../rig/rig.ts';

const LOOPS = 50;
const MEASURED_MS = 30_000;
const QUICK_MS = 10_000;
/** Lets the work left over from starting the loops finish. */
const SETTLE_MS = 5_000;

export async function idleCost({ isQuick }: Pace): Promise<Figure[]> {
  await using rig = new Rig();
  await rig.start();
  await rig.startLoops(0, LOOPS);
  await pause(SETTLE_MS);
  const servers = processesWith(['tmux', rig.root]);
  const measuredMs = isQuick ? QUICK_MS : MEASURED_MS;
  const [daemon = NaN, tmux = NaN] = await cpuShares([[rig.pid], servers], measuredMs);
  const name = `${LOOPS} idle sessions with loops`;
  const unit = '% of a core';
  return [
    {
      name: `${name}: daemon, CPU`,
      value: daemon * 100,
      unit,
      goal: { direction: 'at most', value: 1 },
    },
    {
      name: `${name}: daemon, memory`,
      value: residentBytes(rig.pid) / 2 ** 20,
      unit: 'MB',
      goal: { direction: 'at most', value: 120 },
    },
    {
      name: `${name}: ${servers.length} tmux servers, CPU`,
      value: tmux * 100,
      unit,
      goal: { direction: 'at most', value: 3 },
    },
  ];
}
