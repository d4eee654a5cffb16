/** The only source of time. Tests advance a manual clock; production uses `systemClock`. */
import { setTimeout as sleepFor } from 'node:timers/promises';

export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Wall time in milliseconds since 1970: for display and for comparing across restarts. */
  now(): number;
  /** Milliseconds that never go back and do not count a suspended machine: for durations. */
  monotonic(): number;
  after(delayMs: number, act: () => void): Timer;
  /** Rejects when `signal` aborts. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, act) {
    const handle = setTimeout(act, delayMs);
    return { cancel: () => clearTimeout(handle) };
  },
  sleep: (delayMs, signal) => sleepFor(delayMs, undefined, { signal }),
};

/** ISO 8601 in UTC. */
export function toIso(wallMs: number): string {
  return new Date(wallMs).toISOString();
}
