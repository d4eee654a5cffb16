/**
 * What runs are called, for places that know only their id: an event, a row of the ledger. Read once,
 * when the first title is wanted; runs created later say theirs in an event.
 */
import { SvelteMap } from 'svelte/reactivity';
import { oneLine } from '$shared/rules/text/plain-text.ts';
import type { Feed } from './feed.svelte.ts';

/** The newest; an older run keeps its id as its name. */
const LISTED = '200';
/** A sentence stays readable with a title in it. */
const LONGEST = 80;

const known = new WeakMap<Feed, RunTitles>();

export class RunTitles {
  readonly #feed: Feed;
  readonly #titles = new SvelteMap<string, string>();
  #isRead = false;

  constructor(feed: Feed) {
    this.#feed = feed;
    feed.listen((event) => {
      if (event.type === 'run.created') this.#keep(event.data.run, event.data.title);
    });
  }

  /** Null while it is not known. */
  of(id: string): string | null {
    const title = this.#titles.get(id);
    if (title === undefined && !this.#isRead) {
      this.#isRead = true;
      void this.#read();
    }
    return title ?? null;
  }

  async #read(): Promise<void> {
    const query = { limit: LISTED, problems: 'unreadable', max_problems: '1' };
    try {
      const { runs } = await this.#feed.rest.call('listRuns', { query });
      for (const { id, title } of runs) this.#keep(id, title);
    } catch {
      // The next place that wants a title reads again.
      this.#isRead = false;
    }
  }

  #keep(id: string, title: string): void {
    this.#titles.set(id, oneLine(title, LONGEST));
  }
}

/** Those of the feed's host. */
export function runTitles(feed: Feed): RunTitles {
  const titles = known.get(feed) ?? new RunTitles(feed);
  known.set(feed, titles);
  return titles;
}
