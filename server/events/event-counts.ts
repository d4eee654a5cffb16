/** Counts events over time for charts, some rows at a time. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { EventCounts } from '../../shared/schema/requests.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import type { EventLog } from './event-log.ts';
import { type EventFilter, eventSelector } from './event-stream.ts';

/** Events counted per tick: some milliseconds. */
const PAGE_EVENTS = 20_000;

/**
 * For the last `seconds` before `until`, or now, in steps of `bucket` seconds: a series per session and type, in that
 * order.
 */
export async function countEvents(
  log: EventLog,
  clock: Clock,
  {
    seconds,
    bucket,
    until,
    filter,
  }: { seconds: number; bucket: number; until?: string | undefined; filter: EventFilter },
): Promise<EventCounts> {
  const bucketMs = bucket * 1000;
  const buckets = Math.ceil(seconds / bucket);
  // Whole buckets, so that two answers within a minute line up.
  const endMs = until === undefined ? clock.now() : Math.min(Date.parse(until) - 1, clock.now());
  const fromMs = (Math.floor(endMs / bucketMs) + 1 - buckets) * bucketMs;
  const series = new Map<string, EventCounts['series'][number]>();
  const selects = eventSelector(filter);
  const last = until === undefined ? log.head : log.firstSince(Date.parse(until)) - 1;
  for (let first = log.firstSince(fromMs); first <= last; first += PAGE_EVENTS) {
    const upTo = Math.min(last, first + PAGE_EVENTS - 1);
    for (const row of log.count(first, upTo, fromMs, bucketMs)) {
      // A clock that was set back puts events outside the buckets.
      if (row.bucket < 0 || row.bucket >= buckets || !selects(row)) continue;
      const key = `${row.session ?? ''} ${row.type}`;
      const { session, type } = row;
      const found = series.get(key) ?? { session, type, counts: Array<number>(buckets).fill(0) };
      found.counts[row.bucket] = (found.counts[row.bucket] ?? 0) + row.count;
      series.set(key, found);
    }
    await yieldToEventLoop();
  }
  const sorted = [...series].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, found]) => found);
  return { from: toIso(fromMs), head: last, bucket_seconds: bucket, series: sorted };
}
