import type { LoopReading } from './live-work.ts';

const CLOCK_RUNS = new Set(['starting', 'running', 'stopping']);

/** Whether the loop's clock runs: it is paused while the loop waits for others. */
export function isClockRunning({ status }: Pick<LoopReading['loop'], 'status'>): boolean {
  return CLOCK_RUNS.has(status);
}

/** Null if unknown. */
export function elapsedSeconds({ loop, readAt }: LoopReading, nowMs: number): number | null {
  if (loop.elapsed_seconds === null) return null;
  if (!isClockRunning(loop)) return loop.elapsed_seconds;
  return loop.elapsed_seconds + Math.max(0, nowMs - readAt) / 1000;
}

/** Null if unknown. */
export function quotaWaitSeconds({ loop, readAt }: LoopReading, nowMs: number): number | null {
  if (loop.quota_wait_seconds === null || loop.status !== 'quota_wait') {
    return loop.quota_wait_seconds;
  }
  return loop.quota_wait_seconds + Math.max(0, nowMs - readAt) / 1000;
}
