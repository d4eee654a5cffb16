/** What a daemon and its terminals cost while fifty loops are idle. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pace } from '../pace.ts';
import type { Figure } from '../report/figures.ts';
import { cpuShares, processesWith, residentBytes, wakeUps } from '../rig/process-cost.ts';
import { Rig } from '../rig/rig.ts';

const LOOPS = 50;
const MEASURED_MS = 30_000;
const QUICK_MS = 10_000;
/** The first heartbeat of a loop captures its screen, a minute after its start. */
const SETTLE_MS = 75_000;

export async function idleCost({ isQuick }: Pace): Promise<Figure[]> {
  await using rig = new Rig();
  await rig.start();
  await rig.startLoops(0, LOOPS);
  await pause(SETTLE_MS);
  const servers = processesWith(['tmux', rig.root]);
  const measuredMs = isQuick ? QUICK_MS : MEASURED_MS;
  const wokenBefore = wakeUps(rig.pid);
  const [daemon = NaN, tmux = NaN] = await cpuShares([[rig.pid], servers], measuredMs);
  const woken = wakeUps(rig.pid) - wokenBefore;
  const name = `${LOOPS} idle sessions with loops`;
  const unit = '% of a core';
  return [
    {
      name: `${name}: daemon, CPU`,
      value: daemon * 100,
      unit,
      goal: { direction: 'at most', value: 0.5 },
    },
    {
      name: `${name}: daemon, memory`,
      value: residentBytes(rig.pid) / 2 ** 20,
      unit: 'MB',
      goal: { direction: 'at most', value: 100 },
    },
    {
      name: `${name}: daemon, its main thread wakes up`,
      value: woken / (measuredMs / 1_000),
      unit: '/s',
      goal: { direction: 'at most', value: 2 },
    },
    {
      name: `${name}: ${servers.length} tmux servers, CPU`,
      value: tmux * 100,
      unit,
      goal: { direction: 'at most', value: 0.2 },
    },
  ];
}
