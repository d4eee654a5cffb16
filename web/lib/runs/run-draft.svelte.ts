/** The draft of a message to a run. It stays until the daemon has stored it. */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';

export class RunDraft {
  text = $state('');
  interrupt = $state(false);
  isSent = $state(false);
  readonly sending = new Attempt();

  readonly #feed: Feed;
  readonly #id: string;

  constructor(feed: Feed, id: string) {
    this.#feed = feed;
    this.#id = id;
  }

  /** What happens to the message sent last; null before. */
  get sentText(): string | null {
    return this.isSent ? 'Queued: sent before anything automatic.' : null;
  }

  /** Returns whether the daemon has stored it. If not, the draft is kept. */
  async send(): Promise<boolean> {
    const { text: input, interrupt } = this;
    if (input.trim() === '') return false;
    this.isSent = false;
    return this.sending.run(async () => {
      await this.#feed.rest.call('sendRunInput', { item: this.#id, body: { input, interrupt } });
      if (this.text === input) this.text = '';
      this.interrupt = false;
      this.isSent = true;
    });
  }
}
