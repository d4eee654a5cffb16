/** What others use of the processors while nothing of the bench runs. Linux only: reads /proc. */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** From here others decide the figures. A quiet machine of our own uses a hundredth. */
const MAX_USED = 0.1;
const MAX_STOLEN = 0.03;

const WATCHED_MS = 2_000;

/** Since the start of the machine, of all cores together, in any unit. */
export interface ProcessorTime {
  total: number;
  idle: number;
  /** Given to another guest of the same host. */
  stolen: number;
}

/** From the first to the second. */
export type Span = readonly [ProcessorTime, ProcessorTime];

/** While the bench itself only waits. */
export async function watchMachine(): Promise<Span> {
  const before = readProcessorTime();
  await pause(WATCHED_MS);
  return [before, readProcessorTime()];
}

/** All zero where the system does not report it. */
function readProcessorTime(): ProcessorTime {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'latin1').split('\n');
    const [user = 0, nice = 0, system = 0, unused = 0, disk = 0, irq = 0, soft = 0, stolen = 0] =
      line.split(/\s+/).slice(1).map(Number);
    const idle = unused + disk;
    return { total: user + nice + system + idle + irq + soft + stolen, idle, stolen };
  } catch {
    return { total: 0, idle: 0, stolen: 0 };
  }
}

/**
 * Null where figures may be judged: others used little before and after they were measured, and the
 * host took little in all that time.
 */
export function machineNoise(before: Span, after: Span): string | null {
  const used = Math.max(shareOf(before, busy), shareOf(after, busy));
  if (used > MAX_USED) return `other programs used ${percent(used)} of the processors`;
  const stolen = shareOf([before[0], after[1]], (time) => time.stolen);
  if (stolen > MAX_STOLEN) return `the host took ${percent(stolen)} of the processors`;
  return null;
}

function busy({ total, idle }: ProcessorTime): number {
  return total - idle;
}

function shareOf([from, to]: Span, of: (time: ProcessorTime) => number): number {
  const total = to.total - from.total;
  return total === 0 ? 0 : (of(to) - of(from)) / total;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
