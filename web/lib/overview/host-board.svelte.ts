/** What the overview shows of one host. */
import { untrack } from 'svelte';
import type { Feed } from '$lib/state/feed.svelte.ts';
import { pageHost } from '$lib/state/page-host.ts';
import { Activity } from './activity.svelte.ts';
import { RECENT_MS, recentLoops } from './recent-loops.ts';
import { TileMemory } from './tiles/tile-memory.ts';
import type { Entry } from './tiles/tile.ts';
import { WorkMemory } from './work/work-memory.ts';
import { Work } from './work/work.svelte.ts';

const MINUTE_MS = 60_000;

export class HostBoard {
  readonly feed: Feed;
  readonly activity: Activity;
  readonly work: Work;
  readonly #tiles: TileMemory;
  readonly #works: WorkMemory;
  /** Moves once a minute: what ended before is not listed any more. */
  readonly #recentSince = $derived.by(
    () => Math.floor(this.feed.clock / MINUTE_MS) * MINUTE_MS - RECENT_MS,
  );
  readonly tiles = $derived.by(() =>
    this.#tiles.list(this.feed.work, recentLoops(this.work.loops, this.#recentSince)),
  );
  readonly #workTiles = $derived.by(() =>
    this.#works.list(
      Object.values(this.work.tasks),
      Object.values(this.work.runs),
      this.feed.work.inbox.open,
      this.#recentSince,
    ),
  );
  readonly entries = $derived.by((): readonly Entry[] => [...this.tiles, ...this.#workTiles]);

  constructor(feed: Feed) {
    const host = feed.host === pageHost ? null : feed.host;
    this.feed = feed;
    this.activity = new Activity(feed);
    this.work = new Work(feed);
    this.#tiles = new TileMemory(host);
    this.#works = new WorkMemory(host);
  }

  /** Reads what events do not carry, each time the connection comes up; copies of it once. */
  follow(): (() => void) | undefined {
    const { isStale, isCopied } = this.feed;
    return untrack(() => {
      if (isStale) {
        if (isCopied) void this.work.readCopies();
        return undefined;
      }
      const stops = [this.activity.follow(), this.work.follow()];
      return () => {
        for (const stop of stops) stop();
      };
    });
  }
}
