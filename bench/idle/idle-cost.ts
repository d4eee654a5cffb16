/** What a daemon and its terminals cost while loops are idle, and while a crowd of sessions is. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pace } from '../pace.ts';
import { type Figure, spread } from '../report/figures.ts';
import { median, percentile } from '../report/statistics.ts';
import { cpuShares, processesWith, residentBytes, wakeUps } from '../rig/process-cost.ts';
import { Rig } from '../rig/rig.ts';

const LOOPS = 50;
const CROWD = { loops: 100, sessions: 500 };
/** The first heartbeat of a loop captures its screen, a minute after its start. */
const QUICK_SETTLE_MS = 75_000;
const QUICK_MS = 10_000;
/** By then the engine has compiled what repeats. */
const SETTLE_MS = 180_000;
/** One heartbeat of each loop, in each of the rounds. */
const MEASURED_MS = 60_000;
const ROUNDS = 3;
const LISTS = 1_000;

const MEMORY_MISSED =
  'Missed memory: 50 MB are mapped files, most of them Node itself, and a forced collection of an idle ' +
  'daemon gives nothing back. The live heap is 35 MB, a third of it compiled code, a fifth source text. ' +
  'Less would need another runtime, or parts of the daemon in processes that start when they are used.';
const CPU_MISSED =
  'Missed processor time: what is left for each loop and tick is two readings of processes, five checks ' +
  'of files, the assessment of the agent, the timers and the garbage of these. Less would need fewer ' +
  'looks, and nothing proves that the hint of a change will come.';

interface Goals {
  cpu: number;
  memory: number;
}

export async function idleCost({ isQuick }: Pace): Promise<Figure[]> {
  await using rig = new Rig();
  await rig.start();
  await rig.startLoops(0, LOOPS);
  const few = await atRest(
    rig,
    `${LOOPS} idle sessions with loops`,
    { cpu: 0.5, memory: 100 },
    isQuick,
  );
  if (isQuick) return few;
  await rig.startLoops(LOOPS, CROWD.loops);
  await rig.openShells(0, CROWD.sessions - CROWD.loops);
  const name = `${CROWD.sessions} idle sessions, ${CROWD.loops} with loops`;
  const many = await atRest(rig, name, { cpu: 3, memory: 200 }, isQuick);
  return [...few, ...many, await listTime(rig, name)];
}

async function atRest(rig: Rig, name: string, goals: Goals, isQuick: boolean): Promise<Figure[]> {
  await pause(isQuick ? QUICK_SETTLE_MS : SETTLE_MS);
  const servers = processesWith(['tmux', rig.root]);
  const measuredMs = isQuick ? QUICK_MS : MEASURED_MS;
  const rounds = { daemon: [] as number[], tmux: [] as number[], woken: [] as number[] };
  for (let round = 0; round < (isQuick ? 1 : ROUNDS); round += 1) {
    const wokenBefore = wakeUps(rig.pid);
    const [daemon = NaN, tmux = NaN] = await cpuShares([[rig.pid], servers], measuredMs);
    rounds.daemon.push(daemon * 100);
    rounds.tmux.push(tmux * 100);
    rounds.woken.push((wakeUps(rig.pid) - wokenBefore) / (measuredMs / 1_000));
  }
  const unit = '% of a core';
  return [
    {
      name: `${name}: daemon, CPU`,
      value: median(rounds.daemon),
      unit,
      goal: { direction: 'at most', value: goals.cpu, ifMissed: CPU_MISSED },
      ...spread(rounds.daemon),
    },
    {
      name: `${name}: daemon, memory`,
      value: residentBytes(rig.pid) / 2 ** 20,
      unit: 'MB',
      goal: { direction: 'at most', value: goals.memory, ifMissed: MEMORY_MISSED },
    },
    {
      name: `${name}: daemon, its main thread wakes up`,
      value: median(rounds.woken),
      unit: '/s',
      goal: { direction: 'at most', value: 2 },
      ...spread(rounds.woken),
    },
    {
      name: `${name}: ${servers.length} tmux servers, CPU`,
      value: median(rounds.tmux),
      unit,
      goal: { direction: 'at most', value: 0.2 },
      ...spread(rounds.tmux),
    },
  ];
}

async function listTime(rig: Rig, name: string): Promise<Figure> {
  const times: number[] = [];
  for (let n = 0; n < LISTS; n += 1) {
    const began = performance.now();
    await rig.get('/api/sessions');
    times.push(performance.now() - began);
  }
  return {
    name: `${name}: the list of sessions, p99 of ${LISTS}`,
    value: percentile(times, 0.99),
    unit: 'ms',
    goal: { direction: 'at most', value: 30 },
  };
}
