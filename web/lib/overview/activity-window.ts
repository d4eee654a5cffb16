/** Events of one session per minute, over the last half hour. Pure. */
import type { EventCounts } from '$shared/schema/requests.ts';

export const WINDOW_MINUTES = 30;
const MINUTE_MS = 60_000;

/** `counts` ends with minute `last` (minutes since 1970). */
export interface Series {
  readonly last: number;
  readonly counts: readonly number[];
}

export function minuteOf(atMs: number): number {
  return Math.floor(atMs / MINUTE_MS);
}

/** One series per session; `last` is the minute of the last bucket. */
export function readSeries(answer: EventCounts): { last: number; series: Map<string, Series> } {
  const last = minuteOf(Date.parse(answer.from)) + WINDOW_MINUTES - 1;
  const series = new Map<string, Series>();
  for (const { session, counts } of answer.series) {
    if (session === null) continue;
    const before = series.get(session)?.counts;
    series.set(session, { last, counts: counts.map((n, at) => n + (before?.[at] ?? 0)) });
  }
  return { last, series };
}

/** The counts of the window that ends with `minute`. */
export function windowAt(series: Series | null, minute: number): readonly number[] {
  const shift = series === null ? 0 : minute - series.last;
  return Array.from({ length: WINDOW_MINUTES }, (_, at) => series?.counts[at + shift] ?? 0);
}

/** The series with one more event in `minute`. */
export function countIn(series: Series | null, minute: number): Series {
  const last = Math.max(minute, series?.last ?? minute);
  const counts = [...windowAt(series, last)];
  const at = WINDOW_MINUTES - 1 - (last - minute);
  if (at >= 0) counts[at] = (counts[at] ?? 0) + 1;
  return { last, counts };
}

export function activityText(counts: readonly number[]): string {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return 'No events in the last 30 minutes';
  const quiet = counts.length - 1 - counts.findLastIndex((count) => count > 0);
  const last = quiet === 0 ? 'latest this minute' : `latest ${quiet} min ago`;
  return `${total} ${total === 1 ? 'event' : 'events'} in the last 30 minutes, ${last}`;
}
