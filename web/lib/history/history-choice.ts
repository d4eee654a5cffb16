/** What the history shows, as the query of its address. Pure. */
import { HISTORY_STATES, type HistoryState } from '$shared/rules/events/history-state.ts';
import type { ReportKind } from '$shared/schema/usage/report.ts';
import { REPORT_KIND_TEXT } from '$shared/words/work/report-text.ts';

/** Ranges that end now, in seconds. */
export const RANGES = {
  hour: { label: '1 hour', seconds: 3_600 },
  day: { label: '24 hours', seconds: 86_400 },
  week: { label: '7 days', seconds: 604_800 },
} as const;
export type RangeName = keyof typeof RANGES;
export const RANGE_NAMES = Object.keys(RANGES) as RangeName[];

/** A range by its name, or from a time to another, or to now. Times in milliseconds since 1970. */
export type HistoryRange = { name: RangeName } | { sinceMs: number; untilMs: number | null };

export interface HistoryChoice {
  readonly range: HistoryRange;
  readonly kind: ReportKind | null;
  readonly state: HistoryState | null;
  readonly project: string | null;
  readonly person: string | null;
  readonly text: string;
}

export interface Interval {
  sinceMs: number;
  untilMs: number;
}

/** The longest range with a name: people open this page for the past. */
export const DEFAULT_CHOICE: HistoryChoice = {
  range: { name: 'week' },
  kind: null,
  state: null,
  project: null,
  person: null,
  text: '',
};
/** Below it a chart would show nothing but its own steps. */
const SHORTEST_MS = 60_000;
/** Of the charts, in seconds. */
const BUCKETS = [10, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800];
const MAX_BARS = 60;
const ISO = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

/** Drops values that no work can have, and times that make no range. */
export function readChoice(query: URLSearchParams): HistoryChoice {
  const [kind, state] = [query.get('kind') ?? '', query.get('state') ?? ''];
  return {
    range: readRange(query),
    kind: Object.hasOwn(REPORT_KIND_TEXT, kind) ? (kind as ReportKind) : null,
    state: HISTORY_STATES.find((each) => each === state) ?? null,
    project: query.get('project') ?? null,
    person: query.get('person') ?? null,
    text: query.get('text') ?? '',
  };
}

/** Null for defaults. */
export function writeChoice(choice: HistoryChoice): Record<string, string | null> {
  const { range, text, ...rest } = choice;
  const isNamed = 'name' in range;
  return {
    ...rest,
    text: text === '' ? null : text,
    range: isNamed && range.name !== 'week' ? range.name : null,
    since: isNamed ? null : new Date(range.sinceMs).toISOString(),
    until: isNamed || range.untilMs === null ? null : new Date(range.untilMs).toISOString(),
  };
}

/** Everything but the range is as after opening the page. */
export function isFiltered({ range: _, ...filter }: HistoryChoice): boolean {
  return Object.values(filter).some((value) => value !== null && value !== '');
}

/** It moves with the time. */
export function endsNow(range: HistoryRange): boolean {
  return 'name' in range || range.untilMs === null;
}

function intervalOf(range: HistoryRange, nowMs: number): Interval {
  if ('name' in range) {
    return { sinceMs: nowMs - RANGES[range.name].seconds * 1000, untilMs: nowMs };
  }
  return { sinceMs: range.sinceMs, untilMs: range.untilMs ?? nowMs };
}

/**
 * Twice as long around the same middle, and never beyond now or the beginning of the log: what one end
 * cannot give is added at the other.
 */
export function zoomOut(shown: Interval, nowMs: number, logBeginsMs: number | null): HistoryRange {
  const length = shown.untilMs - shown.sinceMs;
  const leastMs = Math.min(logBeginsMs ?? -Infinity, shown.sinceMs);
  const untilMs = Math.min(nowMs, Math.max(leastMs, shown.sinceMs - length / 2) + 2 * length);
  return {
    sinceMs: Math.max(leastMs, untilMs - 2 * length),
    untilMs: untilMs >= nowMs ? null : untilMs,
  };
}

/** Null where it is no range. An end that is not before now is now. */
export function rangeBetween(oneMs: number, otherMs: number, nowMs: number): HistoryRange | null {
  const [sinceMs, untilMs] = [Math.min(oneMs, otherMs), Math.max(oneMs, otherMs)];
  if (Number.isNaN(untilMs - sinceMs) || sinceMs >= nowMs) return null;
  const isLong = untilMs - sinceMs >= SHORTEST_MS;
  const startMs = isLong ? sinceMs : Math.min(sinceMs, nowMs - SHORTEST_MS);
  const endMs = isLong ? untilMs : startMs + SHORTEST_MS;
  return { sinceMs: startMs, untilMs: endMs >= nowMs ? null : endMs };
}

/** What to ask the daemon for; without an end until now. */
export function rangeQuery(range: HistoryRange, nowMs: number): { since: string; until?: string } {
  const { sinceMs, untilMs } = intervalOf(range, nowMs);
  const since = new Date(sinceMs).toISOString();
  return endsNow(range) ? { since } : { since, until: new Date(untilMs).toISOString() };
}

/** In seconds: at most 60 bars. The daemon counts at most the last seven days of a range. */
export function chartSpan(range: HistoryRange, nowMs: number) {
  const { sinceMs, untilMs } = intervalOf(range, nowMs);
  const { seconds: most } = RANGES.week;
  const seconds = Math.min(most, Math.max(60, Math.ceil((untilMs - sinceMs) / 1000)));
  const bucket = BUCKETS.find((each) => seconds / each <= MAX_BARS) ?? most / MAX_BARS;
  return { seconds, bucket, until: endsNow(range) ? null : new Date(untilMs).toISOString() };
}

function readRange(query: URLSearchParams): HistoryRange {
  const [name, since, until] = ['range', 'since', 'until'].map((key) => query.get(key) ?? '');
  const isName = (word: string): word is RangeName => Object.hasOwn(RANGES, word);
  const sinceMs = timeOf(since);
  const untilMs = timeOf(until);
  if (sinceMs !== null && (untilMs === null || sinceMs < untilMs)) return { sinceMs, untilMs };
  return isName(name ?? '') ? { name: name as RangeName } : DEFAULT_CHOICE.range;
}

function timeOf(text = ''): number | null {
  const ms = ISO.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}
