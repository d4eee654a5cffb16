/** The conversation of a task: read backwards from its end, and followed live. */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import { throttleReads } from '$lib/state/throttle.ts';
import {
  type ConversationPart,
  EMPTY_PART,
  newestPart,
  withEarlier,
  withLater,
} from './conversation-pages.ts';
import { isTaskEvent } from '../state/apply-task-event.ts';

const PAGE_SIZE = 200;
/** A busy task has many interactions per second; they are read together. */
const READ_EVERY_MS = 300;
/** The page does its own grouping, because a group may continue in the next page. */
const PLAIN = { collapse_tools: 'false', limit: String(PAGE_SIZE) };

export class Conversation {
  part = $state.raw<ConversationPart>(EMPTY_PART);
  isRead = $state(false);
  /** The person is reading the end. */
  isAtEnd = true;
  readonly reading = new Attempt();
  readonly readingEarlier = new Attempt();

  readonly #feed: Feed;
  readonly #name: string;
  readonly #readSoon: (name: string) => void;

  constructor(feed: Feed, name: string) {
    this.#feed = feed;
    this.#name = name;
    this.#readSoon = throttleReads(
      READ_EVERY_MS,
      async () => this.#readLater(),
      () => undefined,
    );
  }

  /** Reads and then follows new interactions; call the result to stop. */
  follow(): () => void {
    const ignore = this.#feed.listen((event) => {
      if (!isTaskEvent(event) || event.data.task !== this.#name) return;
      if (event.type === 'task.interaction') this.#readSoon(this.#name);
    });
    if (this.isRead) this.#readSoon(this.#name);
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
      if (page.next === null || page.conversation.length === 0) return;
    }
  }

  async #page(query: Record<string, string>) {
    return this.#feed.rest.call('getConversation', {
      task: this.#name,
      query: { ...PLAIN, ...query },
    });
  }
}
