/** The closed items of a host: who answered what, and when. Read again whenever an item ends. */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import type { AttentionItem } from '$shared/schema/attention/attention.ts';

/** The most the daemon keeps and one answer holds. */
const ALL = 1_000;
/** Items that end together are read once. */
const READ_DELAY_MS = 200;

export class ClosedItems {
  readonly reading = new Attempt();
  /** Last ended first; null until it was read. */
  items = $state.raw<readonly AttentionItem[] | null>(null);

  readonly #feed: Feed;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(feed: Feed) {
    this.#feed = feed;
  }

  /** Reads now and whenever an item ends; call the result to stop. */
  start(): () => void {
    void this.read();
    const ignore = this.#feed.listen((event) => {
      if (event.type !== 'attention.cleared') return;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.read(), READ_DELAY_MS);
    });
    return () => {
      clearTimeout(this.#timer);
      ignore();
    };
  }

  async read(): Promise<void> {
    await this.reading.run(async () => {
      const query = { state: 'all', limit: String(ALL) };
      const { items } = await this.#feed.rest.call('listAttention', { query });
      this.items = items
        .filter(({ cleared_at }) => cleared_at !== null)
        .sort((a, b) => (b.cleared_at ?? '').localeCompare(a.cleared_at ?? ''));
    });
  }
}
