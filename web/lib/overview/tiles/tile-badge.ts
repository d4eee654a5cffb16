import { loopStyle, RESPAWN_STYLE } from '$lib/loop/loop-status.ts';
import type { BadgeStyle } from '$lib/ui/tone.ts';
import { reasonText } from '$shared/words/reason-text.ts';
import { pastBadge } from './past-badge.ts';
import { SECTION_STYLE } from '../section-name.ts';
import { sectionOf } from '../sections.ts';
import type { Tile } from './tile.ts';

/** A session's main status: its request, its loop's status, or its agent's state. */
export function tileBadge(tile: Tile): BadgeStyle {
  const loop = tile.reading?.loop ?? null;
  const [item] = tile.items;
  if (item) return { ...SECTION_STYLE.needs, label: reasonText(item.reason).label };
  if (loop && loop.status !== 'stopped') return loopStyle(loop);
  const section = sectionOf(tile);
  if (section === 'done' && tile.past !== null) return pastBadge(tile.past);
  if (section === 'working' && tile.session?.owner === 'respawn') return RESPAWN_STYLE;
  if (tile.session?.agent) return SECTION_STYLE[section];
  return { ...SECTION_STYLE.idle, label: tile.session ? 'No agent' : 'No session' };
}
