/** The conversation of a task or a run: read backwards from its end, and followed live. */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import { throttleReads } from '$lib/state/throttle.ts';
import type { EventRecord } from '$shared/schema/events/events.ts';
import {
  type ConversationPage,
  type ConversationPart,
  EMPTY_PART,
  newestPart,
  withEarlier,
  withLater,
} from './conversation-pages.ts';

const PAGE_SIZE = '200';
/** A busy agent has many interactions per second; they are read together. */
const READ_EVERY_MS = 300;

/** Whose conversation it is. */
export interface ConversationSource {
  /** `query`: `limit`, and one of `after` and `before`. */
  read: (query: Record<string, string>) => Promise<ConversationPage>;
  /** Whether the event reports an interaction of it. */
  isGrownBy: (event: EventRecord) => boolean;
}

export class Conversation {
  part = $state.raw<ConversationPart>(EMPTY_PART);
  isRead = $state(false);
  /** The person is reading the end. */
  isAtEnd = true;
  readonly reading = new Attempt();
  readonly readingEarlier = new Attempt();

  readonly #feed: Feed;
  readonly #source: ConversationSource;
  readonly #readSoon: (key: string) => void;

  constructor(feed: Feed, source: ConversationSource) {
    this.#feed = feed;
    this.#source = source;
    this.#readSoon = throttleReads(
      READ_EVERY_MS,
      async () => this.#readLater(),
      () => undefined,
    );
  }

  /** Reads and then follows new interactions; call the result to stop. */
  follow(): () => void {
    const ignore = this.#feed.listen((event) => {
      if (this.#source.isGrownBy(event)) this.#readSoon('end');
    });
    if (this.isRead) this.#readSoon('end');
    else void this.read();
    return ignore;
  }

  /** Reads it again from its end. */
  async read(): Promise<void> {
    await this.reading.run(async () => {
      this.part = newestPart(await this.#page({}));
      this.isRead = true;
    });
  }

  /** `place` inserts the earlier entries by calling `grow`. */
  async readEarlier(place: (grow: () => void) => void): Promise<void> {
    const { before } = this.part;
    if (before === null) return;
    await this.readingEarlier.run(async () => {
      const page = await this.#page({ before: String(before) });
      // It was read again since.
      if (this.part.before !== before) return;
      place(() => (this.part = withEarlier(this.part, page)));
    });
  }

  async #readLater(): Promise<void> {
    if (!this.isRead) return this.read();
    for (;;) {
      const last = this.part.entries.at(-1)?.id ?? 0;
      const page = await this.#page({ after: String(last) });
      // Part of it was removed: it started over.
      if (page.total < this.part.total) return this.read();
      this.part = withLater(this.part, page, this.isAtEnd);
      if (page.next === null || page.entries.length === 0) return;
    }
  }

  async #page(query: Record<string, string>): Promise<ConversationPage> {
    return this.#source.read({ limit: PAGE_SIZE, ...query });
  }
}
