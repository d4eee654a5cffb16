/** When a process started, on the wall clock. Linux only. */
import { readFileSync } from 'node:fs';
import type { ProcessIdentity } from './process-identity.ts';

/** Per second, in /proc: a constant of the kernel's interface on all platforms that Node supports. */
const TICKS = 100;

/** In milliseconds since 1970, exact to about a second; null where the system does not say. */
export function processStartMs({ startedAt }: ProcessIdentity): number | null {
  const ticks = /^\d+$/.test(startedAt) ? Number(startedAt) : NaN;
  const bootMs = bootedAtMs();
  return bootMs === null || Number.isNaN(ticks) ? null : bootMs + (ticks * 1000) / TICKS;
}

/** The kernel adapts it when the clock is set. */
function bootedAtMs(): number | null {
  try {
    const seconds = /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'latin1'))?.[1];
    return seconds === undefined ? null : Number(seconds) * 1000;
  } catch {
    return null;
  }
}
