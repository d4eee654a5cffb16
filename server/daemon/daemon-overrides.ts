import type { Carrier } from '../fleet/carrier.ts';
import type { Clock } from '../lib/clock.ts';
import type { ClaimPort } from '../claims/claim-port.ts';

/** Replacements for the system's own, for a daemon. */
export interface DaemonOverrides {
  clock?: Clock;
  environment?: NodeJS.ProcessEnv;
  /** A number from 0 to 1. */
  random?: () => number;
  /** Pace of the demo: 1 for people, less for faster. */
  demoPace?: number;
  /** Carries the fleet that the home joined. */
  carrier?: Carrier;
}

/** The same with defaults, and what a fleet adds to it. */
export type Given = Required<Omit<DaemonOverrides, 'carrier'>> & {
  /** Null: this host is alone. */
  claims: ClaimPort | null;
};
