/** Time ranges of the history, and the buckets of their charts. */
export const RANGES = {
  hour: { label: '1 hour', seconds: 3_600, bucket: 60 },
  day: { label: '24 hours', seconds: 86_400, bucket: 1_800 },
  week: { label: '7 days', seconds: 604_800, bucket: 10_800 },
} as const;

export type RangeName = keyof typeof RANGES;

/** The longest: people open this page for the past. */
export const DEFAULT_RANGE: RangeName = 'week';

export const RANGE_NAMES = Object.keys(RANGES) as RangeName[];

export function isRangeName(word: string): word is RangeName {
  return Object.hasOwn(RANGES, word);
}
