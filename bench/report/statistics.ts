/** Few numbers out of many. */

/** Takes samples and a share from 0 to 1; gives the sample that so many lie at or below. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = Float64Array.from(samples).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

/** Takes samples; gives the one in the middle, of two in the middle their mean. NaN without any. */
export function median(samples: readonly number[]): number {
  const sorted = Float64Array.from(samples).sort();
  const [low, high] = [(sorted.length - 1) >> 1, sorted.length >> 1];
  return ((sorted[low] ?? NaN) + (sorted[high] ?? NaN)) / 2;
}

/**
 * Takes what two contenders reached, round by round; gives the median of the ratios. Each ratio is
 * of one round, so that a machine that changes between rounds changes nothing.
 */
export function medianRatio(samples: readonly number[], base: readonly number[]): number {
  return median(samples.map((sample, round) => sample / (base[round] ?? NaN)));
}

/** Takes a list and a round; gives the list turned so that each comes first in some round. */
export function turned<Item>(list: readonly Item[], round: number): Item[] {
  const first = round % Math.max(1, list.length);
  return [...list.slice(first), ...list.slice(0, first)];
}
