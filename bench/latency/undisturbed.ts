/** The events whose time says something of the contender and not of what else the machine did. */
import { percentile } from '../report/statistics.ts';

/** What contender and generator together may have waited for their cores while an event was under way. */
const MAX_WAITED_MS = 0.5;

export interface Undisturbed {
  /** How many events these are. */
  events: number;
  /** Milliseconds; NaN without an event. */
  p50: number;
  p99: number;
}

/**
 * Takes, event by event, how long each receipt took and how long the processes waited for their cores
 * meanwhile, both in milliseconds; gives the times of the events during which they did not have to.
 */
export function undisturbed(
  ages: readonly (readonly number[])[],
  waitedMs: readonly number[],
): Undisturbed {
  const calm = ages.filter((_, event) => (waitedMs[event] ?? 0) <= MAX_WAITED_MS);
  const all = calm.flat();
  return { events: calm.length, p50: percentile(all, 0.5), p99: percentile(all, 0.99) };
}
