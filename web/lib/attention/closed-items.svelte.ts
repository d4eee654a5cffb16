/** The closed items: who answered what, and when. Read again whenever an item ends. */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import type { AttentionItem } from '$shared/schema/attention.ts';

/** Shown at first, and added with each press. */
const STEP = 50;
/** The most the daemon keeps and one answer holds. */
const ALL = 1_000;
/** Items that end together are read once. */
const READ_DELAY_MS = 200;

export class ClosedItems {
  session = $state<string | null>(null);
  readonly reading = new Attempt();

  readonly #feed: Feed;
  #items = $state.raw<readonly AttentionItem[] | null>(null);
  #shown = $state(STEP);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Of the chosen session, last ended first. */
  readonly #chosen = $derived(
    (this.#items ?? []).filter(({ session }) => this.session === null || session === this.session),
  );
  readonly items = $derived(this.#chosen.slice(0, this.#shown));
  readonly more = $derived(this.#chosen.length - this.items.length);
  readonly isRead = $derived(this.#items !== null);
  /** The sessions of all items, by name. */
  readonly sessions = $derived(
    (this.#items ?? [])
      .flatMap(({ session }) => session ?? [])
      .sort()
      .filter((session, place, all) => session !== all[place - 1]),
  );
  /** When the last item ended; null if none did. */
  readonly lastEnd = $derived(this.#items?.[0]?.cleared_at ?? null);

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

  choose(session: string | null): void {
    this.session = session;
    this.#shown = STEP;
  }

  showMore(): void {
    this.#shown += STEP;
  }

  async read(): Promise<void> {
    await this.reading.run(async () => {
      const query = { state: 'all', limit: String(ALL) };
      const { items } = await this.#feed.rest.call('listAttention', { query });
      this.#items = items
        .filter(({ cleared_at }) => cleared_at !== null)
        .sort((a, b) => (b.cleared_at ?? '').localeCompare(a.cleared_at ?? ''));
    });
  }
}
