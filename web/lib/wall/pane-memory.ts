/** The panes of a wall. An unchanged pane stays the same object and is not drawn again. */
import type { Tile } from '$lib/overview/tiles/tile.ts';
import { keyOfHost } from '$lib/state/host-path.ts';
import type { EventRecord } from '$shared/schema/events/events.ts';

export interface Pane {
  /** As of its tile: unique among all hosts. */
  readonly key: string;
  /** Null if neither a session nor a loop of that name exists. */
  readonly tile: Tile | null;
  /** It existed while this page was open, or not long before. */
  readonly hasEnded: boolean;
  /** When it closed, if that is known. */
  readonly closedAt: string | null;
}

/** The recent events of a host, the newest first. */
interface HostEvents {
  /** Null: the host of the page. */
  host: string | null;
  events: readonly EventRecord[];
}

export class PaneMemory {
  #list: readonly Pane[] = [];
  /** Every key that had a tile, and when its session closed last, if known. */
  readonly #seen = new Map<string, string | null>();

  list(
    keys: readonly string[],
    tiles: readonly Tile[],
    onHosts: readonly HostEvents[],
  ): readonly Pane[] {
    for (const { key } of tiles) this.#seen.set(key, null);
    for (const each of onHosts) this.#noteClosed(each, tiles);
    const before = new Map(this.#list.map((pane) => [pane.key, pane]));
    const tileOf = new Map(tiles.map((tile) => [tile.key, tile]));
    this.#list = keys.map((key): Pane => {
      const tile = tileOf.get(key) ?? null;
      const hasEnded = tile === null && this.#seen.has(key);
      const closedAt = this.#seen.get(key) ?? null;
      const last = before.get(key);
      const isSame =
        last?.tile === tile && last.hasEnded === hasEnded && last.closedAt === closedAt;
      return isSame ? last : { key, tile, hasEnded, closedAt };
    });
    return this.#list;
  }

  /** The page keeps only the latest events: the time is kept here. */
  #noteClosed({ host, events }: HostEvents, tiles: readonly Tile[]): void {
    const open = new Set(tiles.map(({ key }) => key));
    for (const { type, session, at } of events) {
      if (type !== 'session.closed' || session === undefined) continue;
      const key = keyOfHost(host, session);
      // The newest is first.
      if (!open.has(key) && (this.#seen.get(key) ?? null) === null) this.#seen.set(key, at);
    }
  }
}
