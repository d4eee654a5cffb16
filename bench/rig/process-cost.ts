/** What a daemon costs while its loops have nothing to say. Linux only: reads /proc. */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Figure } from '../report/figures.ts';

const MEASURED_MS = 20_000;
/** What the start of the loops left to be done. */
const SETTLE_MS = 3_000;
/** USER_HZ, the same on every Linux. */
const TICKS_A_SECOND = 100;

export async function idleCost(pid: number, loops: number): Promise<Figure[]> {
  await pause(SETTLE_MS);
  const share = await cpuShare(pid, MEASURED_MS);
  return [
    { name: `idle daemon, ${loops} loops, CPU`, value: share * 100, unit: '% of a core' },
    {
      name: `idle daemon, ${loops} loops, memory`,
      value: residentBytes(pid) / 2 ** 20,
      unit: 'MB',
    },
  ];
}

/** Takes a pid and how long to look; gives its CPU in that time, 1 is a whole core. */
export async function cpuShare(pid: number, measuredMs: number): Promise<number> {
  const [ticks, began] = [cpuTicks(pid), performance.now()];
  await pause(measuredMs);
  return ((cpuTicks(pid) - ticks) / TICKS_A_SECOND / (performance.now() - began)) * 1_000;
}

/** Takes a pid; gives the memory it holds. */
export function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? NaN) * 1024;
}

/** User and system time together, in ticks of 10 ms. */
function cpuTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
