/** What the palette offers, and what of it a query finds. Pure. */
import { fuzzyMatch } from './fuzzy-match.ts';

export interface PaletteEntry {
  /** Unique. */
  id: string;
  kind: 'Action' | 'Page' | 'Host' | 'Session' | 'Elsewhere' | 'Task' | 'Run' | 'Module' | 'Prompt';
  text: string;
  /** Such as a state or a directory; not searched. */
  note: string;
  /** The key that does the same, or ''. */
  keys: string;
  run: () => void;
}

export interface FoundEntry extends PaletteEntry {
  /** The text in parts, the matched ones marked. */
  parts: { text: string; isMatch: boolean }[];
}

/** More are not drawn: a narrower query finds the others. */
const MOST_SHOWN = 50;

/**
 * The best first; without a query those used last (`recent`: their ids, newest first), then all in
 * their order. At most fifty.
 */
export function findEntries(
  entries: readonly PaletteEntry[],
  query: string,
  recent: readonly string[],
): FoundEntry[] {
  const found = entries.flatMap((entry) => {
    const match = fuzzyMatch(query, entry.text);
    if (match === null) return [];
    const used = recent.indexOf(entry.id);
    return [{ entry, match, used: used === -1 ? Infinity : used }];
  });
  found.sort((one, other) => other.match.score - one.match.score || order(one.used, other.used));
  return found
    .slice(0, MOST_SHOWN)
    .map(({ entry, match }) => ({ ...entry, parts: partsOf(entry.text, match.places) }));
}

/** Equal for two that were never used, whose difference is no number. */
function order(one: number, other: number): number {
  return one === other ? 0 : one - other;
}

function partsOf(text: string, places: readonly number[]): FoundEntry['parts'] {
  const marked = new Set(places);
  const parts: FoundEntry['parts'] = [];
  for (const [place, letter] of text.split('').entries()) {
    const isMatch = marked.has(place);
    const last = parts.at(-1);
    if (last?.isMatch === isMatch) last.text += letter;
    else parts.push({ text: letter, isMatch });
  }
  return parts;
}
