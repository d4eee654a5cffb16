/** Groups what the overview shows: by state, by project or by the person who started it. Pure. */
import type { BadgeStyle } from '$lib/ui/tone.ts';
import type { Grouping } from './overview-choice.ts';
import { SECTION_STYLE, type SectionName, SECTIONS } from './section-name.ts';
import type { Sections } from './sections.ts';
import type { Entry } from './tiles/tile.ts';

export interface EntryGroup {
  readonly key: string;
  readonly label: string;
  /** The section, if the group is one. */
  readonly section: SectionName | null;
  readonly style: BadgeStyle | null;
  readonly entries: readonly { readonly entry: Entry; readonly section: SectionName }[];
}

const NO_PERSON = 'Person not recorded';
const NO_PROJECT = 'No project';

/** Groups without entries are left out. `shown`: the only section, or null for all. */
export function groupBy(
  grouping: Grouping,
  sections: Sections,
  shown: SectionName | null,
): readonly EntryGroup[] {
  const inOrder = SECTIONS.filter((name) => shown === null || shown === name).flatMap((section) =>
    sections[section].map((entry) => ({ entry, section })),
  );
  const groups = new Map<string, EntryGroup['entries'][number][]>();
  for (const each of inOrder) {
    const key = keyOf(grouping, each.entry, each.section);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  const keys = [...groups.keys()];
  // Sections keep the order of the page.
  if (grouping !== 'state') keys.sort((a, b) => a.localeCompare(b));
  return keys.map((key) => {
    const section = grouping === 'state' ? (SECTIONS.find((name) => name === key) ?? null) : null;
    const style = section === null ? null : SECTION_STYLE[section];
    return { key, label: style?.label ?? key, section, style, entries: groups.get(key) ?? [] };
  });
}

function keyOf(grouping: Grouping, entry: Entry, section: SectionName): string {
  switch (grouping) {
    case 'state':
      return section;
    case 'project':
      return projectOf(entry) ?? NO_PROJECT;
    case 'person':
      return (entry.kind === 'session' ? null : entry.startedBy) ?? NO_PERSON;
  }
}

/** The directory it works in. */
function projectOf(entry: Entry): string | null {
  if (entry.kind !== 'session') return entry.project;
  const { session, reading, past } = entry;
  return session?.cwd ?? reading?.loop.task_dir ?? past?.task_dir ?? null;
}
