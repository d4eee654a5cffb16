/** The events whose time measures the contender and not other load on the machine. */
import { percentile } from '../report/statistics.ts';

/**
 * How long contender and generator together may have waited for their cores while an event was
 * under way.
 */
const MAX_WAITED_MS = 0.5;

/** Fewer have no meaningful 99th percentile. */
const MIN_EVENTS = 20;

export interface Undisturbed {
  events: number;
  /** Milliseconds; null when there are too few events. */
  p99: number | null;
}

/**
 * Keeps the events during which no process waited for its core. Both inputs are milliseconds per
 * event: how long each receipt took, and how long the processes waited for their cores.
 */
export function undisturbed(
  ages: readonly (readonly number[])[],
  waitedMs: readonly number[],
): Undisturbed {
  const kept = ages.filter((_, event) => (waitedMs[event] ?? Infinity) <= MAX_WAITED_MS);
  const p99 = kept.length < MIN_EVENTS ? null : percentile(kept.flat(), 0.99);
  return { events: kept.length, p99 };
}
