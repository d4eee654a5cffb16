/** `share` is from 0 to 1; returns the sample that this share lies at or below. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = Float64Array.from(samples).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

/** The mean of the two middle samples when there are two; NaN without any. */
export function median(samples: readonly number[]): number {
  const sorted = Float64Array.from(samples).sort();
  const [low, high] = [(sorted.length - 1) >> 1, sorted.length >> 1];
  return ((sorted[low] ?? NaN) + (sorted[high] ?? NaN)) / 2;
}

/**
 * The ratio of two contenders in each round, so that a machine that changes between rounds does not
 * distort it.
 */
export function ratios(samples: readonly number[], base: readonly number[]): number[] {
  return samples.map((sample, round) => sample / (base[round] ?? NaN));
}

export function medianRatio(samples: readonly number[], base: readonly number[]): number {
  return median(ratios(samples, base));
}

/** Rotates the list by the round, so that each item comes first in some round. */
export function turned<Item>(list: readonly Item[], round: number): Item[] {
  const first = round % Math.max(1, list.length);
  return [...list.slice(first), ...list.slice(0, first)];
}
