/** The intervals that the page "Report" offers, in hours. Pure. */
const HOUR_MS = 3_600_000;

export const REPORT_RANGES = { night: 12, day: 24, days: 72 } as const;
export type ReportRange = keyof typeof REPORT_RANGES;
export const REPORT_RANGE_LABEL: Record<ReportRange, string> = {
  night: '12 hours',
  day: '24 hours',
  days: '3 days',
};

export function isReportRange(word: string | null): word is ReportRange {
  return word !== null && Object.hasOwn(REPORT_RANGES, word);
}

/** Where the range begins, in ISO 8601. */
export function sinceOf(range: ReportRange, nowMs: number): string {
  return new Date(nowMs - REPORT_RANGES[range] * HOUR_MS).toISOString();
}
