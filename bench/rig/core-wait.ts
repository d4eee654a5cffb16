/** How long a process had to wait because others had its core. Linux only: reads /proc. */
import { readdirSync, readFileSync } from 'node:fs';

const NANOSECONDS_A_MILLISECOND = 1e6;

/**
 * Takes a pid; gives how long its main thread has waited for a core so far, in ms, less what its own
 * other threads ran: those are a price of its own. 0 where the system does not tell.
 */
export function coreWaitMs(pid: number): number {
  let waited = 0;
  for (const thread of threadsOf(pid)) {
    const [ran = 0, ranLater = 0] = scheduled(pid, thread);
    waited += Number(thread) === pid ? ranLater : -ran;
  }
  return waited / NANOSECONDS_A_MILLISECOND;
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Nanoseconds a thread ran, and waited to. */
function scheduled(pid: number, thread: string): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ').map(Number);
  } catch {
    // It has ended meanwhile.
    return [];
  }
}
