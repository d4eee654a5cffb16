/** The logs of the shown hosts as one list of events by time, through one filter. */
import type { Hosts } from '$lib/hosts/hosts.svelte.ts';
import { mergeNewest } from '$lib/hosts/merge-newest.ts';
import { type HostPart, PerHost } from '$lib/hosts/per-host.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import type { EventRecord } from '$shared/schema/events/events.ts';
import type { EventAddress } from './event-address.ts';
import { EventReader } from './event-reader.svelte.ts';
import { type EventRow, isDetached } from './event-window.ts';

/** A row of the list, and whose it is. */
export interface LogRow {
  /** Null: the host of the page. */
  readonly host: string | null;
  readonly epoch: string;
  readonly row: EventRow;
  /** It is the event of a link. */
  readonly isMarked: boolean;
}

export class MergedLog {
  readonly logs: PerHost<EventReader>;
  readonly #host: () => string | null;

  /** `host`: the only one that is shown; null: all. An event of a link is in the log of the page's host. */
  constructor(options: {
    hosts: Hosts;
    feed: Feed;
    host: () => string | null;
    selects: (event: EventRecord) => boolean;
    shown: EventAddress | null;
  }) {
    const { hosts, feed, selects, shown } = options;
    this.#host = options.host;
    this.logs = new PerHost(
      hosts,
      feed,
      (of) => new EventReader(of, selects, of === feed ? shown : null),
    );
  }

  readonly #shown = $derived.by(() => this.logs.on(this.#host()));
  readonly #begun = $derived.by(() => this.#shown.filter(({ part }) => part.hasBegun));
  readonly #merged = $derived.by(() =>
    mergeNewest(
      this.#begun.map(({ part }) => ({
        items: part.window.rows,
        isComplete: part.below !== 'more',
      })),
      (row) => (row.kind === 'event' ? row.event.at : null),
    ),
  );
  readonly hasBegun = $derived.by(() => this.#begun.length > 0);
  /** Hosts whose events are not listed, because they cannot be reached. */
  readonly away = $derived.by(() =>
    this.#shown.flatMap(({ host, feed, part }) =>
      host !== null && !part.hasBegun && feed.link.state === 'offline' ? [host] : [],
    ),
  );
  /** Hosts whose events are listed and that send none at the moment. */
  readonly silent = $derived.by(() => this.#begun.filter(({ feed }) => feed.isStale));
  readonly rows = $derived.by((): readonly LogRow[] => {
    const ceiling = this.#ceiling;
    return this.#merged.items.flatMap(({ item: row, from }) => {
      const log = this.#begun[from];
      if (log === undefined) return [];
      if (ceiling !== null && row.kind === 'event' && row.event.at > ceiling) return [];
      const { host, part } = log;
      return [{ host, epoch: part.epoch, row, isMarked: part.marked === row.seq }];
    });
  });
  readonly isFollowing = $derived.by(() =>
    this.#begun.every(({ part }) => part.window.isFollowing),
  );
  readonly isDetached = $derived.by(() => this.#begun.some(({ part }) => isDetached(part.window)));
  readonly isBusy = $derived.by(() => this.#shown.some(({ part }) => part.reading.isBusy));
  readonly heldCount = $derived.by(() =>
    this.#begun.reduce((sum, { part }) => sum + part.window.heldCount, 0),
  );
  readonly missing = $derived.by(() => this.logs.own.missing);
  /** As of an `EventReader`. */
  readonly below = $derived.by(() => {
    if (this.#merged.endedBy !== null) return 'more';
    return this.#begun.some(({ part }) => part.below === 'far') ? 'far' : 'end';
  });
  /** Names of the hosts whose search stopped before the end; none of a host that is alone. */
  readonly far = $derived.by(() =>
    this.#begun
      .filter(({ part }) => part.below === 'far')
      .map((part) => this.logs.nameOf(part))
      .filter((name) => name !== ''),
  );
  /** Where reading the log failed. */
  readonly failed = $derived.by(
    () => this.#shown.find(({ part }) => part.reading.error !== null) ?? null,
  );

  /** Of a list that moved down: newer events of others would leave out those of its host. */
  readonly #ceiling = $derived.by(() => {
    const tops = this.#begun
      .filter(({ part }) => isDetached(part.window))
      .flatMap(({ part }) => part.window.rows.find(({ kind }) => kind === 'event') ?? [])
      .flatMap((row) => (row.kind === 'event' ? [row.event.at] : []));
    return tops.sort()[0] ?? null;
  });

  pause(): void {
    for (const { part } of this.#begun) part.pause();
  }

  async resume(): Promise<void> {
    await Promise.all(this.#begun.map(async ({ part }) => part.resume()));
  }

  /** Reads where the list ends, else where a search stopped; the list is paused from then on. */
  async readOlder(): Promise<void> {
    this.pause();
    const { endedBy } = this.#merged;
    const isNext = ({ part }: HostPart<EventReader>, n: number): boolean =>
      endedBy === null ? part.below === 'far' : n === endedBy;
    await Promise.all(this.#begun.filter(isNext).map(async ({ part }) => part.readOlder()));
  }

  async readNewer(): Promise<void> {
    const detached = this.#begun.filter(({ part }) => isDetached(part.window));
    await Promise.all(detached.map(async ({ part }) => part.readNewer()));
  }

  /** After a failure, on request. */
  async retry(): Promise<void> {
    const { failed } = this;
    if (failed === null) return;
    await (failed.part.hasBegun ? failed.part.readOlder() : failed.part.begin());
  }
}
