/**
 * Which sessions a wall shows that chooses them automatically. It keeps its order while people read
 * it: only the end of a session, or one that newly needs a person, sorts it again.
 */
import { groupEntries, sectionOf } from '$lib/overview/sections.ts';
import type { Tile } from '$lib/overview/tiles/tile.ts';

export interface ArrangeInput {
  tiles: readonly Tile[];
  /** How many panes fit. */
  room: number;
  hidesIdle: boolean;
  /** Keys of ended sessions whose panes a person removed. */
  removed: readonly string[];
  /** A person reads or operates a pane: nothing may move. */
  isHeld: boolean;
}

interface Arrangement {
  shown: readonly string[];
  /** The sessions that needed a person. */
  needing: readonly string[];
  /** Of those shown, the ones that had ended. */
  ended: readonly string[];
  room: number;
}

const NOTHING: Arrangement = { shown: [], needing: [], ended: [], room: 0 };

/** Keys, most urgent first: needs a person, waiting, working. */
export function byUrgency(tiles: readonly Tile[]): string[] {
  const { needs, waiting, working } = groupEntries(tiles);
  return [...needs, ...waiting, ...working].map(({ key }) => key);
}

/** Remembers the order it chose last; the same input again changes nothing. */
export class PaneOrder {
  #last = NOTHING;

  arrange(input: ArrangeInput): readonly string[] {
    if (input.isHeld && this.#last.shown.length > 0) return this.#last.shown;
    this.#last = arrange(this.#last, input);
    return this.#last.shown;
  }
}

function arrange(
  last: Arrangement,
  { tiles, room, hidesIdle, removed }: ArrangeInput,
): Arrangement {
  const tileOf = new Map(tiles.map((tile) => [tile.key, tile]));
  const urgent = byUrgency(tiles);
  const needing = tiles.filter((tile) => sectionOf(tile) === 'needs').map(({ key }) => key);
  const kept = last.shown.filter((name) =>
    tileOf.has(name) ? !hidesIdle || urgent.includes(name) : !removed.includes(name),
  );
  const ended = kept.filter((name) => !tileOf.has(name));
  const mustSort =
    room !== last.room ||
    needing.some((name) => !last.needing.includes(name)) ||
    ended.some((name) => !last.ended.includes(name));
  const order = mustSort ? [...urgent, ...kept] : filled(kept, urgent, room);
  const shown = [...new Set(order)].slice(0, room);
  return { shown, needing, ended, room };
}

/** New ones get free room, then the places of idle and ended ones; the others do not move. */
function filled(kept: readonly string[], urgent: readonly string[], room: number): string[] {
  const waiting = urgent.filter((name) => !kept.includes(name));
  let missing = kept.length + waiting.length - room;
  const places = kept.map((name) => {
    if (missing <= 0 || urgent.includes(name)) return name;
    missing -= 1;
    return waiting.shift() ?? name;
  });
  return [...places, ...waiting];
}
