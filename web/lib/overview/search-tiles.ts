import { loopStyle } from '$lib/loop/loop-status.ts';
import { agentText } from '$shared/words/agent-text.ts';
import { REASON_TEXT } from '$shared/words/reason-text.ts';
import { SECTION_STYLE, sectionOf } from './sections.ts';
import type { Tile } from './tile.ts';

/** Each tile is read once: an unchanged tile stays the same object. */
const read = new WeakMap<Tile, string>();

/** The tiles that contain every word of the query. */
export function searchTiles(tiles: readonly Tile[], query: string): readonly Tile[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return tiles;
  return tiles.filter((tile) => words.every((word) => textOf(tile).includes(word)));
}

/** The text of the tile, in lower case. */
function textOf(tile: Tile): string {
  let text = read.get(tile);
  if (text === undefined) {
    const { name, session, reading, items } = tile;
    const loop = reading?.loop ?? null;
    const agent = session?.agent ?? null;
    const parts = [
      name,
      session?.cwd,
      loop?.task_dir,
      SECTION_STYLE[sectionOf(tile)].label,
      loop && loopStyle(loop).label,
      loop?.step,
      loop?.next,
      loop?.checkpoint,
      loop?.stop_reason && REASON_TEXT[loop.stop_reason].label,
      agent && `${agentText(agent.state, agent.cause)} ${agent.detail ?? ''}`,
      ...items.map(({ reason, title }) => `${REASON_TEXT[reason].label} ${title}`),
    ];
    text = parts.filter(Boolean).join('\n').toLowerCase();
    read.set(tile, text);
  }
  return text;
}
