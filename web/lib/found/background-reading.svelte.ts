/** The background sessions that have ended, read on request. */
import { untrack } from 'svelte';
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import { throttleReads } from '$lib/state/throttle.ts';
import type { BackgroundSessions } from '$shared/schema/agents/background.ts';

/** The client is started for it, at most this often. */
const READ_EVERY_MS = 10_000;

export class BackgroundReading {
  /** Null before the first answer. */
  answer = $state.raw<BackgroundSessions | null>(null);
  readonly reading = new Attempt();
  readonly #feed: Feed;
  readonly #touch: (key: string) => void;

  constructor(feed: Feed) {
    this.#feed = feed;
    this.#touch = throttleReads(
      READ_EVERY_MS,
      async () => this.read(),
      () => undefined,
    );
  }

  async read(): Promise<void> {
    await this.reading.run(async () => {
      this.answer = await this.#feed.rest.call('listBackground');
    });
  }

  /** Reads now, and again when a session in the background ends; call the result to stop. */
  follow(): () => void {
    untrack(() => this.#touch('all'));
    return this.#feed.listen((event) => {
      const isEnd = event.type === 'found.ended' && event.data.place === 'background';
      if (isEnd || event.type === 'found.ignore_set') this.#touch('all');
    });
  }
}
