/** The tokens a client counts while it works: `↓ 34 tokens`, `12.5k tokens`, `1.2M tokens`. */

/** A count may begin before what is new; none is longer. */
const OVERLAP = 40;
/** Not behind a letter or a point: `v1.5k tokens` and `1.2.3 tokens` are no counts. */
const TOKENS = /(?<![\w.,])(\d{1,3}(?:,\d{3}){1,3}|\d{1,9})(\.\d{1,3})? ?([kKmM])? tokens?\b/g;
const FACTOR: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 };

/** The last count that ends in what is new; null without one. */
export function readTokens(text: string, newFrom: number): number | null {
  const start = Math.max(0, newFrom - OVERLAP);
  const [, whole, part = '', unit = ''] =
    [...text.slice(start).matchAll(TOKENS)].findLast(
      ({ 0: found, index }) => start + index + found.length > newFrom,
    ) ?? [];
  if (whole === undefined) return null;
  const count = Number(whole.replaceAll(',', '') + part);
  return Math.round(count * (FACTOR[unit.toLowerCase()] ?? 1));
}
