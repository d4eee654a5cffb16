/** The rules of the ledger: what a sighting adds to what is counted. Pure. */
import type { Counts } from './usage-entry.ts';

const TOKENS = [
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheCreationTokens',
] as const satisfies (keyof Counts)[];

/**
 * What `seen` adds to `known`, which has the same key; null when it adds nothing. A message is
 * written several times while it grows, so each count is the greatest that was seen.
 */
export function growthOf(known: Counts | null, seen: Counts): Counts | null {
  const grown = (was: number, is: number) => Math.max(0, is - was);
  const costMicros =
    seen.costMicros === null ? null : grown(known?.costMicros ?? 0, seen.costMicros);
  const growth: Counts = {
    inputTokens: grown(known?.inputTokens ?? 0, seen.inputTokens),
    outputTokens: grown(known?.outputTokens ?? 0, seen.outputTokens),
    cacheReadTokens: grown(known?.cacheReadTokens ?? 0, seen.cacheReadTokens),
    cacheCreationTokens: grown(known?.cacheCreationTokens ?? 0, seen.cacheCreationTokens),
    costMicros,
  };
  // A cost of 0 is news when none was known.
  const hasCost = costMicros !== null && (costMicros > 0 || (known?.costMicros ?? null) === null);
  return hasCost || TOKENS.some((name) => growth[name] > 0) ? growth : null;
}

/**
 * What a status line's total adds. It counts for a conversation or for its process, by the version
 * of the client, so it continues from the greatest of their last totals that it can continue from;
 * a lower total began at 0 again. May count too little after a restart, never too much.
 */
export function costGrowth(lastTotals: readonly number[], total: number): number {
  return total - Math.max(0, ...lastTotals.filter((last) => last <= total));
}
