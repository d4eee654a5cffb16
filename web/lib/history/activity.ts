/**
 * Event counts over time: counted by the daemon once, then updated by events. No event is counted
 * twice.
 */
import type { EventRecord, EventType } from '$shared/schema/events/events.ts';
import type { EventCounts } from '$shared/schema/requests.ts';

export interface Activity {
  readonly fromMs: number;
  readonly bucketMs: number;
  /** The newest counted event. */
  readonly head: number;
  readonly length: number;
  readonly counts: Readonly<Record<string, readonly number[]>>;
}

/** One of the parts of a bar. */
export interface ActivitySeries {
  label: string;
  type: EventType;
  /** Its colour token. */
  token: string;
}

/** The charts of the history, in order. */
export const ACTIVITY_CHARTS: readonly { title: string; series: readonly ActivitySeries[] }[] = [
  { title: 'Signals', series: [{ label: 'Signals', type: 'auto.signal', token: '--work' }] },
  {
    title: 'Stalls and recoveries',
    series: [
      { label: 'Stalled', type: 'auto.stall_suspected', token: '--wait' },
      { label: 'Recovered', type: 'auto.recovered', token: '--good' },
      { label: 'Not recovered', type: 'auto.recovery_failed', token: '--chart-other' },
      { label: 'Loop failed', type: 'auto.failed', token: '--fail' },
    ],
  },
  {
    title: 'Waits',
    series: [
      { label: 'For quota', type: 'auto.quota_entered', token: '--wait' },
      { label: 'For a person', type: 'attention.raised', token: '--chart-other' },
    ],
  },
];

export const ACTIVITY_TYPES: readonly string[] = ACTIVITY_CHARTS.flatMap(({ series }) =>
  series.map(({ type }) => type),
);

/** Counts by type, over all sessions. */
export function toActivity(answer: EventCounts, buckets: number): Activity {
  const counts: Record<string, number[]> = {};
  for (const { type, counts: found } of answer.series) {
    const sum = (counts[type] ??= Array<number>(buckets).fill(0));
    found.forEach((count, at) => (sum[at] = (sum[at] ?? 0) + count));
  }
  return {
    fromMs: Date.parse(answer.from),
    bucketMs: answer.bucket_seconds * 1000,
    head: answer.head,
    length: buckets,
    counts,
  };
}

/** Of several hosts, in the buckets of the first, which are at most one apart; null without any. */
export function sumActivities(activities: readonly Activity[]): Activity | null {
  const [first, ...others] = activities;
  if (first === undefined || others.length === 0) return first ?? null;
  const shifts = activities.map(({ fromMs }) =>
    Math.round((fromMs - first.fromMs) / first.bucketMs),
  );
  const counts = ACTIVITY_TYPES.map((type) => {
    const rows = activities.map((each) => countsOf(each, type));
    const sumAt = (n: number) =>
      rows.reduce((sum, row, from) => sum + (row[n - (shifts[from] ?? 0)] ?? 0), 0);
    return [type, Array.from({ length: first.length }, (_, n) => sumAt(n))] as const;
  });
  return { ...first, counts: Object.fromEntries(counts) };
}

/** `events` in order; those already counted are skipped. */
export function addEvents(activity: Activity, events: readonly EventRecord[]): Activity {
  return events.reduce(addEvent, activity);
}

/** Advances the buckets so that `nowMs` falls into the last one. Never goes back. */
export function advance(activity: Activity, nowMs: number): Activity {
  const { fromMs, bucketMs, length } = activity;
  const steps = Math.floor((nowMs - fromMs) / bucketMs) - (length - 1);
  if (steps <= 0) return activity;
  const counts = Object.entries(activity.counts).map(([type, row]) => {
    const kept = row.slice(steps);
    return [type, [...kept, ...Array<number>(length - kept.length).fill(0)]] as const;
  });
  return { ...activity, fromMs: fromMs + steps * bucketMs, counts: Object.fromEntries(counts) };
}

/** One count per bucket. */
export function countsOf({ counts, length }: Activity, type: string): readonly number[] {
  return counts[type] ?? Array<number>(length).fill(0);
}

function addEvent(before: Activity, { seq, at, type }: EventRecord): Activity {
  if (seq <= before.head) return before;
  if (!ACTIVITY_TYPES.includes(type)) return { ...before, head: seq };
  const activity = advance(before, Date.parse(at));
  const bucket = Math.floor((Date.parse(at) - activity.fromMs) / activity.bucketMs);
  const row = [...countsOf(activity, type)];
  // After the clock was set back an event can lie outside the buckets.
  if (bucket >= 0) row[bucket] = (row[bucket] ?? 0) + 1;
  return { ...activity, head: seq, counts: { ...activity.counts, [type]: row } };
}
