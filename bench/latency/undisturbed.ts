/** The events whose time says something of the contender and not of what else the machine did. */
import { percentile } from '../report/statistics.ts';

/** What contender and generator together may have waited for their cores while an event was under way. */
const MAX_WAITED_MS = 0.5;

/** With fewer of them there is no hundredth to speak of. */
const MIN_EVENTS = 20;

export interface Undisturbed {
  /** How many events these are. */
  events: number;
  /** Milliseconds; null when they are too few. */
  p99: number | null;
}

/**
 * Takes, event by event, how long each receipt took and how long the processes waited for their cores
 * meanwhile, both in milliseconds; gives the times of the events during which they did not have to.
 */
export function undisturbed(
  ages: readonly (readonly number[])[],
  waitedMs: readonly number[],
): Undisturbed {
  const calm = ages.filter((_, event) => (waitedMs[event] ?? Infinity) <= MAX_WAITED_MS);
  const p99 = calm.length < MIN_EVENTS ? null : percentile(calm.flat(), 0.99);
  return { events: calm.length, p99 };
}
