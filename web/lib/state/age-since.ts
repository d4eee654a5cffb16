import type { Feed } from './feed.svelte.ts';
import { now } from './now.svelte.ts';

const MINUTE_MS = 60_000;

/**
 * Milliseconds since that instant, frozen while the page is stale. Changes each second in the first minute
 * and every ten seconds later: hundreds of cards show it, and each change costs the page its layout.
 */
export function ageSince(at: string, { isStale, asOf }: Pick<Feed, 'isStale' | 'asOf'>): number {
  const since = Date.parse(at);
  if (isStale) return asOf - since;
  return (now.coarse - since < MINUTE_MS ? now.current : now.coarse) - since;
}
