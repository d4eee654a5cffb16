import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Announcer } from '$lib/state/announcer.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import type { AttentionAnswer, AttentionItem } from '$shared/schema/attention/attention.ts';

/** The item changed after it was shown. */
const LATE: readonly string[] = ['attention_cleared', 'attention_unknown', 'not_answerable'];

/** `late`: someone else was first, and the item is about to disappear. */
export type AnswerOutcome = 'sent' | 'late' | 'not_sent';

/** Sends answers to one inbox item, one at a time, and announces the result to screen readers. */
export class ItemAnswer {
  readonly #feed: Feed;
  readonly #announcer: Announcer;
  readonly #attempt = new Attempt();

  constructor(feed: Feed, announcer: Announcer) {
    this.#feed = feed;
    this.#announcer = announcer;
  }

  get isSending(): boolean {
    return this.#attempt.isBusy;
  }

  /** Why the last answer was rejected; null before that, and while the next one is sent. */
  get error(): Attempt['error'] {
    return this.#attempt.error;
  }

  async answer({ id, title }: AttentionItem, body: AttentionAnswer): Promise<AnswerOutcome> {
    const done = body.decision === 'deny' ? 'Denied' : 'Answered';
    return this.#send(`${done}: ${title}`, async () =>
      this.#feed.rest.call('answerAttention', { item: id, body }),
    );
  }

  async dismiss({ id, title }: AttentionItem): Promise<AnswerOutcome> {
    return this.#send(`Dismissed: ${title}`, async () =>
      this.#feed.rest.call('dismissAttention', { item: id }),
    );
  }

  async #send(done: string, work: () => Promise<unknown>): Promise<AnswerOutcome> {
    const isSent = await this.#attempt.run(async () => {
      await work();
      this.#announcer.say(done);
    });
    if (isSent) return 'sent';
    if (this.error === null || !LATE.includes(this.error.code)) return 'not_sent';
    this.#feed.readInbox();
    return 'late';
  }
}
