/** The panes of a wall. An unchanged pane stays the same object and is not drawn again. */
import type { Tile } from '$lib/overview/tile.ts';
import type { EventRecord } from '$shared/schema/events.ts';

export interface Pane {
  readonly name: string;
  /** Null if neither a session nor a loop of that name exists. */
  readonly tile: Tile | null;
  /** It existed while this page was open, or not long before. */
  readonly hasEnded: boolean;
  /** When it closed, if that is known. */
  readonly closedAt: string | null;
}

export class PaneMemory {
  #list: readonly Pane[] = [];
  /** Every name that had a tile, and when its session closed last, if known. */
  readonly #seen = new Map<string, string | null>();

  list(
    names: readonly string[],
    tiles: readonly Tile[],
    events: readonly EventRecord[],
  ): readonly Pane[] {
    for (const { name } of tiles) this.#seen.set(name, null);
    this.#noteClosed(events, tiles);
    const before = new Map(this.#list.map((pane) => [pane.name, pane]));
    const tileOf = new Map(tiles.map((tile) => [tile.name, tile]));
    this.#list = names.map((name): Pane => {
      const tile = tileOf.get(name) ?? null;
      const hasEnded = tile === null && this.#seen.has(name);
      const closedAt = this.#seen.get(name) ?? null;
      const last = before.get(name);
      const isSame =
        last?.tile === tile && last.hasEnded === hasEnded && last.closedAt === closedAt;
      return isSame ? last : { name, tile, hasEnded, closedAt };
    });
    return this.#list;
  }

  /** The page keeps only the latest events: the time is kept here. */
  #noteClosed(events: readonly EventRecord[], tiles: readonly Tile[]): void {
    const open = new Set(tiles.map(({ name }) => name));
    for (const { type, session, at } of events) {
      if (type !== 'session.closed' || session === undefined || open.has(session)) continue;
      // The newest is first.
      if ((this.#seen.get(session) ?? null) === null) this.#seen.set(session, at);
    }
  }
}
