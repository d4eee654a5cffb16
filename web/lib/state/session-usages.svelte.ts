/** What each open session has used, as last read; read while a page shows it. */
import type { Feed } from './feed.svelte.ts';
import { readAmidViews } from './read-amid-views.ts';
import { throttleReads } from './throttle.ts';
import type { Views } from '$shared/schema/events/protocol.ts';
import type { SessionUsage } from '$shared/schema/usage/usage.ts';

/** Figures move with each turn of each agent; one answer has those of all sessions. */
const READ_EVERY_MS = 10_000;

export class SessionUsages {
  of = $state.raw<Readonly<Record<string, SessionUsage>>>({});
  readonly #feed: Feed;
  readonly #touch: (key: string) => void;

  constructor(feed: Feed) {
    this.#feed = feed;
    this.#touch = throttleReads(
      READ_EVERY_MS,
      async () =>
        readAmidViews(
          feed,
          async () => feed.rest.call('getUsageNow'),
          ({ sessions }) => (this.of = bySession(sessions)),
          (views) => this.#follow(views),
        ),
      () => undefined,
    );
  }

  /** Reads now, and follows each change of an agent or a loop; call the result to stop. */
  follow(): () => void {
    this.#touch('all');
    const ignore = this.#feed.listen(({ type }) => {
      // What a turn has used is known a moment after the agent's new state.
      const isLate = type === 'session.agent_changed';
      if (isLate || (!this.#feed.carriesViews && /^(session|auto)\./.test(type))) {
        this.#touch('all');
      }
    });
    const ignoreViews = this.#feed.listenViews((views) => this.#follow(views));
    return () => {
      ignore();
      ignoreViews();
    };
  }

  #follow({ usages }: Views): void {
    if (usages.length > 0) this.of = { ...this.of, ...bySession(usages) };
  }
}

function bySession(usages: readonly SessionUsage[]): Record<string, SessionUsage> {
  return Object.fromEntries(usages.map((each) => [each.session, each]));
}
