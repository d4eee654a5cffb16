import type { LoopReading } from './fleet.ts';

const CLOCK_RUNS = new Set(['starting', 'running', 'stopping']);

/** Takes a loop; tells whether its time counts: it stands while the loop waits for others. */
export function isClockRunning({ status }: Pick<LoopReading['loop'], 'status'>): boolean {
  return CLOCK_RUNS.has(status);
}

/** Takes a loop's reading and the time; gives its elapsed seconds now, or null if unknown. */
export function elapsedSeconds({ loop, readAt }: LoopReading, nowMs: number): number | null {
  if (loop.elapsed_seconds === null) return null;
  if (!isClockRunning(loop)) return loop.elapsed_seconds;
  return loop.elapsed_seconds + Math.max(0, nowMs - readAt) / 1000;
}

/** Takes a loop's reading and the time; gives its seconds in waits for quota now, or null. */
export function quotaWaitSeconds({ loop, readAt }: LoopReading, nowMs: number): number | null {
  if (loop.quota_wait_seconds === null || loop.status !== 'quota_wait') {
    return loop.quota_wait_seconds;
  }
  return loop.quota_wait_seconds + Math.max(0, nowMs - readAt) / 1000;
}
