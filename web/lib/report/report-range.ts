/** The times that the page "Report" shows; the offered ranges are in hours. Pure. */
const HOUR_MS = 3_600_000;
const ISO = /^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/;

export const REPORT_RANGES = { night: 12, day: 24, days: 72 } as const;
export type ReportRange = keyof typeof REPORT_RANGES;
export const REPORT_RANGE_LABEL: Record<ReportRange, string> = {
  night: '12 hours',
  day: '24 hours',
  days: '3 days',
};

/** In ISO 8601; without an end until now. */
export type ReportInterval = { since: string; until?: string };

/** One of these ranges, or the interval that a link names. */
export type ReportChoice = { range: ReportRange } | ReportInterval;

/** From the query of the address. Anything else is the last night. */
export function readChoice(query: URLSearchParams): ReportChoice {
  const [range, since, until] = ['range', 'since', 'until'].map((name) => query.get(name));
  if (isTime(since)) return isTime(until) ? { since, until } : { since };
  return { range: isReportRange(range) ? range : 'night' };
}

/** The interval to read. */
export function intervalOf(choice: ReportChoice, nowMs: number): ReportInterval {
  if ('since' in choice) return choice;
  return { since: new Date(nowMs - REPORT_RANGES[choice.range] * HOUR_MS).toISOString() };
}

function isReportRange(word: string | null | undefined): word is ReportRange {
  return typeof word === 'string' && Object.hasOwn(REPORT_RANGES, word);
}

function isTime(word: string | null | undefined): word is string {
  return typeof word === 'string' && ISO.test(word) && !Number.isNaN(Date.parse(word));
}
