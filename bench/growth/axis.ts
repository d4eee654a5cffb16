/** What can be grown on a daemon, and what is asked of it meanwhile. */
import type { Rig } from '../rig/rig.ts';
import type { Reached } from './reach.ts';

export interface Axis {
  /** What is counted, in the plural. */
  name: string;
  /** Of a full and of a quick run, rising. */
  sizes: readonly number[];
  quickSizes: readonly number[];
  /** Until the work of a start is over, in a full run. */
  settleMs: number;
  /** What the latency is of. */
  asked: string;
  open(rig: Rig): Crowd;
}

/** Those that one daemon has. */
export interface Crowd {
  grow(from: number, to: number): Promise<Reached>;
  /** One sample of the latency. */
  answer(): Promise<unknown>;
}
