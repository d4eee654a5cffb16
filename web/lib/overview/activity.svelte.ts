/** How busy each session is: counted once by the daemon, then updated by events. */
import { SvelteMap } from 'svelte/reactivity';
import type { Feed } from '$lib/state/feed.svelte.ts';
import {
  countIn,
  minuteOf,
  readSeries,
  type Series,
  WINDOW_MINUTES,
  windowAt,
} from './activity-window.ts';

export class Activity {
  readonly #feed: Feed;
  readonly #series = new SvelteMap<string, Series>();
  /** How far the daemon's clock is ahead of this one, in minutes. */
  #ahead = $state(0);
  /** Changes once a minute; frozen while the page is stale. */
  readonly #minute = $derived.by(() => minuteOf(this.#feed.clock) + this.#ahead);

  constructor(feed: Feed) {
    this.#feed = feed;
  }

  /** Events in each of the last thirty minutes. */
  of(session: string): readonly number[] {
    return windowAt(this.#series.get(session) ?? null, this.#minute);
  }

  /** Reads the counts and follows the events; call the result to stop. */
  follow(): () => void {
    void this.#read();
    return this.#feed.listen(({ session, at }) => {
      if (session === undefined) return;
      const series = countIn(this.#series.get(session) ?? null, minuteOf(Date.parse(at)));
      this.#series.set(session, series);
    });
  }

  async #read(): Promise<void> {
    try {
      const query = { seconds: String(WINDOW_MINUTES * 60), bucket: '60' };
      const { last, series } = readSeries(await this.#feed.rest.call('countEvents', { query }));
      this.#ahead = last - minuteOf(Date.now());
      this.#series.clear();
      for (const [session, one] of series) this.#series.set(session, one);
    } catch {
      // Without the past, counting starts with new events.
    }
  }
}
