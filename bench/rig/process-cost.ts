/** What processes cost. Linux only: reads /proc. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** USER_HZ, the same on every Linux. */
const TICKS_A_SECOND = 100;

/** CPU over `measuredMs`; 1 is a whole core. */
export async function cpuShare(pid: number, measuredMs: number): Promise<number> {
  const [share = NaN] = await cpuShares([[pid]], measuredMs);
  return share;
}

/** The same for groups of processes, each group summed. */
export async function cpuShares(
  groups: readonly (readonly number[])[],
  measuredMs: number,
): Promise<number[]> {
  const ticks = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + cpuTicks(pid), 0);
  const [before, began] = [groups.map(ticks), performance.now()];
  await pause(measuredMs);
  const seconds = (performance.now() - began) / 1_000;
  return groups.map((pids, n) => (ticks(pids) - (before[n] ?? 0)) / TICKS_A_SECOND / seconds);
}

/** Processor time used so far, in ms, including children that ended. */
export function cpuMs(pids: readonly number[]): number {
  const ticks = pids.reduce((sum, pid) => sum + cpuTicks(pid, [11, 12, 13, 14]), 0);
  return (ticks / TICKS_A_SECOND) * 1_000;
}

/** The processes whose command line contains all of these words. */
export function processesWith(words: readonly string[]): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
      return words.every((word) => line.includes(word));
    } catch {
      // It has ended.
      return false;
    }
  });
}

export function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? NaN) * 1024;
}

/** How often its main thread has waited for something and run again. */
export function wakeUps(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1] ?? NaN);
}

/** User and system time together, in ticks of 10 ms; `fields` count from after the name. */
function cpuTicks(pid: number, fields = [11, 12]): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const values = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.reduce((sum, field) => sum + Number(values[field]), 0);
}
