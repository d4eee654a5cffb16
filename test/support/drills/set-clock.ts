import { type Clock, systemClock, type Timer } from '../../../server/lib/clock.ts';

/** The system's clock, whose wall time can be set. Timers and monotonic time are not affected. */
export class SetClock implements Clock {
  /** How far the wall time is ahead of the system's. */
  aheadMs: number;

  constructor(aheadMs = 0) {
    this.aheadMs = aheadMs;
  }

  now(): number {
    return systemClock.now() + this.aheadMs;
  }

  monotonic(): number {
    return systemClock.monotonic();
  }

  after(delayMs: number, act: () => void): Timer {
    return systemClock.after(delayMs, act);
  }

  async sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(delayMs, signal);
  }
}
