/** What is kept of the plan's windows for people, as last read, and its change. */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import { throttleReads } from '$lib/state/throttle.ts';
import type { Reserve, ReservePolicy } from '$shared/schema/usage/reserve.ts';

const READ_EVERY_MS = 2_000;

export class ReserveBoard {
  now = $state.raw<Reserve | null>(null);
  readonly reading = new Attempt();
  readonly changing = new Attempt();
  readonly #feed: Feed;
  readonly #touch: (key: string) => void;

  constructor(feed: Feed) {
    this.#feed = feed;
    this.#touch = throttleReads(
      READ_EVERY_MS,
      async () => feed.rest.call('getReserve'),
      (_, now) => (this.now = now),
    );
  }

  /** Reads now, and after what may change it; call the result to stop. */
  follow(): () => void {
    void this.read();
    return this.#feed.listen(({ type }) => {
      if (/^(reserve|auto|task|run|respawn)\./.test(type)) this.#touch('reserve');
    });
  }

  async read(): Promise<void> {
    await this.reading.run(async () => {
      this.now = await this.#feed.rest.call('getReserve');
    });
  }

  async set(body: ReservePolicy): Promise<boolean> {
    return this.changing.run(async () => {
      this.now = await this.#feed.rest.call('setReserve', { body });
    });
  }

  async remove(): Promise<boolean> {
    return this.changing.run(async () => {
      this.now = await this.#feed.rest.call('removeReserve');
    });
  }
}
