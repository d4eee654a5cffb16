/** The cells of the grid: all entries in one list. Pure. */
import type { BadgeStyle } from '$lib/ui/tone.ts';
import type { EntryGroup } from '../group-by.ts';
import type { SectionName } from '../section-name.ts';
import type { Entry } from './tile.ts';

export interface GridCell {
  readonly entry: Entry;
  readonly section: SectionName;
  /** Above the first entry of a group. */
  readonly heading: Heading | null;
}

interface Heading {
  readonly label: string;
  readonly style: BadgeStyle | null;
  readonly count: number;
}

/**
 * One list, so that an entry keeps its element when it changes group. A cell that has not changed stays the
 * same object as in `before`: only changes are rendered again. `without`: a section that is folded.
 */
export function gridCells(
  groups: readonly EntryGroup[],
  without: SectionName | null,
  before: readonly GridCell[],
): readonly GridCell[] {
  const known = new Map(before.map((cell) => [cell.entry.key, cell]));
  return groups.flatMap(({ section: of, label, style, entries }) => {
    if (of !== null && of === without) return [];
    return entries.map(({ entry, section }, at) => {
      const heading = at === 0 ? { label, style, count: entries.length } : null;
      const last = known.get(entry.key);
      const isSame =
        last?.entry === entry && last.section === section && isSameHeading(last.heading, heading);
      return isSame ? last : { entry, section, heading };
    });
  });
}

function isSameHeading(one: Heading | null, other: Heading | null): boolean {
  if (one === null || other === null) return one === other;
  return one.label === other.label && one.style === other.style && one.count === other.count;
}
