/**
 * The sessions on this machine that Loopwatch did not start, live: read while a page shows them,
 * then changed by events. What events do not carry is read again after them.
 */
import { untrack } from 'svelte';
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import { throttleReads } from '$lib/state/throttle.ts';
import type { FoundSession } from '$shared/schema/agents/found.ts';
import { applyFound } from './apply-found.ts';

/** One answer has all sessions; each event is shown before it. */
const READ_EVERY_MS = 2_000;

export class FoundWatch {
  /** The longest running first; null before they were read. */
  sessions = $state.raw<readonly FoundSession[] | null>(null);
  /** False: they are not looked for. */
  isOn = $state(true);
  readonly reading = new Attempt();
  readonly #feed: Feed;
  readonly #touch: (key: string) => void;
  /** Events since the running read began, which its answer may not know. */
  #missed: Parameters<Parameters<Feed['listen']>[0]>[0][] = [];

  constructor(feed: Feed) {
    this.#feed = feed;
    this.#touch = throttleReads(
      READ_EVERY_MS,
      async () => this.#read(),
      () => undefined,
    );
  }

  /** Reads each time the connection comes up, and follows the events; a copy once. For an effect. */
  follow(): (() => void) | undefined {
    const { isStale, isCopied } = this.#feed;
    // Untracked, so that this read does not restart the effect.
    if (!isStale || isCopied) untrack(() => this.#touch('all'));
    if (isStale) return undefined;
    return this.#feed.listen((event) => {
      if (!event.type.startsWith('found.')) return;
      this.#missed.push(event);
      if (this.sessions !== null) this.sessions = applyFound(this.sessions, event);
      this.#touch('all');
    });
  }

  /** After a failure, on request. */
  retry(): void {
    void this.#read();
  }

  async #read(): Promise<void> {
    await this.reading.run(async () => {
      this.#missed = [];
      // Of a host that cannot be reached, the copy.
      const { answer } = await this.#feed.rest.read('listFound');
      const { is_on, sessions } = answer;
      this.isOn = is_on;
      this.sessions = this.#missed.reduce(applyFound, sessions);
    });
  }
}
