/** How long a process had to wait because others used its core. Linux only: reads /proc. */
import { readdirSync, readFileSync } from 'node:fs';

const NANOSECONDS_A_MILLISECOND = 1e6;

/**
 * How long its main thread has waited for a core so far, in ms, minus what its own other threads
 * ran: those are its own cost. 0 where the system does not report it.
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
    // It has ended.
    return [];
  }
}
