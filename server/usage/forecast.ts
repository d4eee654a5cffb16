/**
 * When a window of the plan ends if work burns as it does, with an interval learned from how such
 * forecasts would have gone before. Pure: over readings alone.
 */

/** One reading; wall times in milliseconds. */
export interface WindowSample {
  atMs: number;
  usedPercent: number;
  resetsAtMs: number;
}

export interface WindowForecast {
  /** Percent in an hour. */
  burn: number;
  /** Wall times at which nothing is left; null: not before the reset. */
  earliestMs: number | null;
  likelyMs: number | null;
  latestMs: number | null;
  /** Past forecasts that the interval is learned from; 0: a wide one is taken. */
  learnedFrom: number;
}

const HOUR_MS = 3_600_000;
/** With fewer, nothing is learned yet. */
const ENOUGH = 20;
/** Future burn, in multiples of the last one, while nothing is learned. */
const WIDE: Spread = { least: 0.2, most: 5 };
/** Of the past forecasts, left out at each side. */
const TAIL = 0.03;

interface Spread {
  least: number;
  most: number;
}

/** `samples`: oldest first. `lookbackMs`: what counts as now. Null without a reading or any burn. */
export function forecastWindow(
  samples: readonly WindowSample[],
  lookbackMs: number,
  nowMs: number,
): WindowForecast | null {
  const last = samples.at(-1);
  if (last === undefined || last.resetsAtMs <= nowMs) return null;
  const burn = burnAt(samples, samples.length - 1, lookbackMs);
  if (burn === null || burn <= 0) return null;
  const leftMs = ((100 - last.usedPercent) / burn) * HOUR_MS;
  const horizonMs = Math.min(leftMs, last.resetsAtMs - last.atMs);
  const ratios = pastRatios(samples, lookbackMs, horizonMs);
  const { least, most } = spreadOf(ratios);
  const endAt = (ratio: number) => {
    if (ratio <= 0) return null;
    const endMs = last.atMs + leftMs / ratio;
    return endMs < last.resetsAtMs ? Math.max(endMs, last.atMs) : null;
  };
  return {
    burn,
    earliestMs: endAt(most),
    likelyMs: endAt(1),
    latestMs: endAt(least),
    learnedFrom: ratios.length < ENOUGH ? 0 : ratios.length,
  };
}

/** Percent in an hour before that sample, within its window; null when it is the first there. */
function burnAt(
  samples: readonly WindowSample[],
  index: number,
  lookbackMs: number,
): number | null {
  const at = samples[index];
  if (at === undefined) return null;
  let from: WindowSample | null = null;
  for (let before = index - 1; before >= 0; before -= 1) {
    const sample = samples[before];
    if (sample === undefined || sample.resetsAtMs !== at.resetsAtMs) break;
    from = sample;
    if (at.atMs - sample.atMs >= lookbackMs) break;
  }
  if (from === null || at.atMs <= from.atMs) return null;
  return ((at.usedPercent - from.usedPercent) / (at.atMs - from.atMs)) * HOUR_MS;
}

/** What was burned over such a time, in multiples of what each past reading would have forecast. */
function pastRatios(
  samples: readonly WindowSample[],
  lookbackMs: number,
  horizonMs: number,
): number[] {
  const ratios: number[] = [];
  let ahead = 0;
  for (const [index, from] of samples.entries()) {
    ahead = Math.max(ahead, index + 1);
    const isWithin = (to: WindowSample | undefined) =>
      to !== undefined && to.resetsAtMs === from.resetsAtMs && to.usedPercent < 100;
    while (isWithin(samples[ahead]) && (samples[ahead]?.atMs ?? 0) < from.atMs + horizonMs) {
      ahead += 1;
    }
    const to = samples[ahead];
    if (to === undefined || to.resetsAtMs !== from.resetsAtMs || from.usedPercent >= 100) continue;
    // What ends with the window, long before the time is over, says nothing about such a time.
    if (to.usedPercent < 100 && to.atMs < from.atMs + horizonMs) continue;
    const burn = burnAt(samples, index, lookbackMs);
    if (burn === null || burn <= 0) continue;
    const burned = ((to.usedPercent - from.usedPercent) / (to.atMs - from.atMs)) * HOUR_MS;
    ratios.push(burned / burn);
  }
  return ratios.sort((one, other) => one - other);
}

function spreadOf(ratios: readonly number[]): Spread {
  if (ratios.length < ENOUGH) return WIDE;
  const cut = Math.floor(ratios.length * TAIL);
  const least = Math.min(ratios[cut] ?? 1, 1);
  const most = Math.max(ratios[ratios.length - 1 - cut] ?? 1, 1);
  return { least, most };
}
