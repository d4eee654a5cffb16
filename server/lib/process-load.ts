/** How much the processes below another one have computed. Reads /proc; elsewhere nobody can tell. */
import { readFileSync } from 'node:fs';

/** Takes a pid; gives the CPU time of all its living descendants in clock ticks, by pid. */
export function descendantTicks(pid: number): Map<number, number> {
  const ticks = new Map<number, number>();
  const open = childrenOf(pid);
  for (let child = open.pop(); child !== undefined; child = open.pop()) {
    if (ticks.has(child)) continue;
    ticks.set(child, ticksOf(child));
    open.push(...childrenOf(child));
  }
  return ticks;
}

function childrenOf(pid: number): number[] {
  const text = read(`/proc/${pid}/task/${pid}/children`);
  return text.split(' ').filter(Boolean).map(Number);
}

/** Fields 14 and 15 of the kernel's line: user and system time. The name before may hold blanks. */
function ticksOf(pid: number): number {
  const text = read(`/proc/${pid}/stat`);
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
