/** How far back the history looks, and in what steps its charts count. */
export const RANGES = {
  hour: { label: '1 hour', seconds: 3_600, bucket: 60 },
  day: { label: '24 hours', seconds: 86_400, bucket: 1_800 },
  week: { label: '7 days', seconds: 604_800, bucket: 10_800 },
} as const;

export type RangeName = keyof typeof RANGES;

/** The longest: whoever comes here looks for what is past. */
export const DEFAULT_RANGE: RangeName = 'week';

export const RANGE_NAMES = Object.keys(RANGES) as RangeName[];

/** Takes a word; tells whether it names a range. */
export function isRangeName(word: string): word is RangeName {
  return Object.hasOwn(RANGES, word);
}
