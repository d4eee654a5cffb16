/** How long a process waited for a processor: what a loaded machine adds to a delay. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';

const NS_PER_MS = 1_000_000;

/** In milliseconds so far, of its thread that waited longest; 0 when the system does not say. */
export function processorWaitMs(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const waits = threads.map((thread) => {
      const text = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1');
      return Number(text.split(' ')[1]) / NS_PER_MS;
    });
    return Math.max(0, ...waits);
  } catch {
    return 0;
  }
}
