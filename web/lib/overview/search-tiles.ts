import { loopStyle } from '$lib/loop/loop-status.ts';
import { agentText } from '$shared/words/sessions/agent-text.ts';
import { reasonText } from '$shared/words/reason-text.ts';
import { SECTION_STYLE } from './section-name.ts';
import { sectionOf } from './sections.ts';
import type { Entry, Tile } from './tiles/tile.ts';
import type { WorkTile } from './work/work-tile.ts';

/** Each tile is read once: an unchanged tile stays the same object. */
const read = new WeakMap<Entry, string>();

/** The tiles that contain every word of the query. */
export function searchTiles<Any extends Entry>(
  tiles: readonly Any[],
  query: string,
): readonly Any[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return tiles;
  return tiles.filter((tile) => words.every((word) => textOf(tile).includes(word)));
}

/** The text of the tile, in lower case. */
function textOf(entry: Entry): string {
  let text = read.get(entry);
  if (text === undefined) {
    const parts = [
      ...(entry.kind === 'session' ? sessionParts(entry) : workParts(entry)),
      SECTION_STYLE[sectionOf(entry)].label,
      ...entry.items.map(({ reason, title }) => `${reasonText(reason).label} ${title}`),
    ];
    text = parts.filter(Boolean).join('\n').toLowerCase();
    read.set(entry, text);
  }
  return text;
}

function workParts(work: WorkTile): (string | null)[] {
  const { kind, name, id, branch, project, startedBy, badge, line, about } = work;
  return [kind, name, id, branch, project, startedBy, badge.label, line, about];
}

function sessionParts({ name, session, reading, past }: Tile) {
  const loop = reading?.loop ?? null;
  const agent = session?.agent ?? null;
  return [
    name,
    session?.cwd,
    loop?.task_dir,
    past?.task_dir,
    loop && loopStyle(loop).label,
    loop?.step,
    loop?.next,
    loop?.checkpoint,
    loop?.stop_reason && reasonText(loop.stop_reason).label,
    agent && `${agentText(agent.state, agent.cause)} ${agent.detail ?? ''}`,
  ];
}
