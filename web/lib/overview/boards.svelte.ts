/** The overviews of all hosts as one: that of the page, and of each that is connected to. */
import type { HostConnection } from '$lib/hosts/host-connection.svelte.ts';
import type { Hosts } from '$lib/hosts/hosts.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import { HostBoard } from './host-board.svelte.ts';
import type { Tile } from './tile.ts';

export class Boards {
  readonly own: HostBoard;
  readonly #hosts: Hosts;
  readonly #others = new WeakMap<HostConnection, HostBoard>();
  readonly all = $derived.by(() => [
    this.own,
    ...this.#hosts.connections.map((connection) => this.#boardOf(connection)),
  ]);

  constructor(feed: Feed, hosts: Hosts) {
    this.own = new HostBoard(feed);
    this.#hosts = hosts;
  }

  /** Those of one host alone, by its name, or of all. */
  on(host: string | null): readonly HostBoard[] {
    const ownName = this.#hosts.current?.name;
    return this.all.filter(({ feed }) => host === null || (feed.host ?? ownName) === host);
  }

  /** Events of the tile's session in each of the last minutes. */
  countsOf({ host, name }: Tile): readonly number[] {
    const board = host === null ? this.own : this.all.find(({ feed }) => feed.host === host);
    return board?.activity.of(name) ?? [];
  }

  #boardOf(connection: HostConnection): HostBoard {
    const known = this.#others.get(connection);
    if (known !== undefined) return known;
    const board = new HostBoard(connection.feed);
    this.#others.set(connection, board);
    return board;
  }
}
