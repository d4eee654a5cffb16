import type { Clock } from '../lib/clock.ts';

/** What a daemon may be given in place of the system's own. */
export interface DaemonOverrides {
  clock?: Clock;
  environment?: NodeJS.ProcessEnv;
  /** Gives a number from 0 to 1. */
  random?: () => number;
  /** How fast the demo goes: 1 for people, less for those who cannot wait. */
  demoPace?: number;
}
