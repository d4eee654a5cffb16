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

export const systemClock = openSystemClock();

/**
 * Timers that fall due together each run in a turn of the event loop of their own: what arrives
 * meanwhile, such as a signal, waits for one of them and not for all.
 */
function openSystemClock(): Clock {
  /** In their order. */
  const due = new Set<() => void>();
  let hasRun = false;

  /** At once, unless another timer ran in this turn. */
  function run(act: () => void): void {
    if (hasRun) return void due.add(act);
    hasRun = true;
    setImmediate(endTurn);
    act();
  }

  function endTurn(): void {
    hasRun = false;
    const [next] = due;
    if (next === undefined) return;
    due.delete(next);
    run(next);
  }

  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    after(delayMs, act) {
      // Distinct, so that one can be cancelled of two timers with the same action.
      const once = () => act();
      const handle = setTimeout(run, delayMs, once);
      const cancel = () => {
        clearTimeout(handle);
        due.delete(once);
      };
      return { cancel };
    },
    sleep: (delayMs, signal) => sleepFor(delayMs, undefined, { signal }),
  };
}

/** ISO 8601 in UTC. */
export function toIso(wallMs: number): string {
  return new Date(wallMs).toISOString();
}
