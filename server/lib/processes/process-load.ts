/** How much CPU the descendants of a process have used. Reads /proc; elsewhere there is no data. */
import { readFileSync } from 'node:fs';
import type { ProcessIdentity } from './process-identity.ts';

export interface ProcessLoad extends ProcessIdentity {
  /** CPU time in clock ticks. */
  ticks: number;
}

/** All living descendants of a process, by pid. */
export function descendantLoads(pid: number): Map<number, ProcessLoad> {
  const loads = new Map<number, ProcessLoad>();
  const open = childrenOf(pid);
  for (let child = open.pop(); child !== undefined; child = open.pop()) {
    if (loads.has(child)) continue;
    loads.set(child, loadOf(child));
    open.push(...childrenOf(child));
  }
  return loads;
}

function childrenOf(pid: number): number[] {
  const text = read(`/proc/${pid}/task/${pid}/children`);
  return text.split(' ').filter(Boolean).map(Number);
}

/**
 * Fields 14, 15 and 22 of the kernel's line: user and system time, start. The name may hold spaces.
 */
function loadOf(pid: number): ProcessLoad {
  const text = read(`/proc/${pid}/stat`);
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  return { pid, startedAt: fields[19] ?? '', ticks };
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
