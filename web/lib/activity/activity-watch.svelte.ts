/**
 * The activity of one session while it is in sight: read once, then after each push of its screen and
 * each event of its agent, from where the last reading ended.
 */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import type { SessionActivity } from '$shared/schema/session-activity.ts';
import { type ActivityLog, firstLog, joinLog } from './activity-log.ts';

/** Between two readings while its screen changes. */
const READ_EVERY_MS = 1_000;
/** A client writes its transcript a moment after it draws, and some calls draw nothing. */
const SETTLE_MS = 3_000;

export class ActivityWatch {
  log = $state.raw<ActivityLog | null>(null);
  readonly reading = new Attempt();
  readonly readingOlder = new Attempt();
  readonly #feed: Feed;
  readonly #session: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #settle: ReturnType<typeof setTimeout> | undefined;

  constructor(feed: Feed, session: string) {
    this.#feed = feed;
    this.#session = session;
  }

  /** Call the result to stop. */
  start(): () => void {
    void this.read();
    const unwatch = this.#feed.watchScreen(this.#session, (frame) => {
      if (frame.type === 'screen' && frame.session === this.#session) this.#touch();
    });
    const ignore = this.#feed.listen((event) => {
      if (event.session === this.#session) this.#touch();
    });
    return () => {
      clearTimeout(this.#timer);
      clearTimeout(this.#settle);
      this.#timer = undefined;
      unwatch();
      ignore();
    };
  }

  async read(): Promise<void> {
    await this.reading.run(async () => {
      const after = this.log?.newer ?? null;
      const answer = await this.#fetch(after === null ? {} : { after });
      this.log =
        this.log === null || after === null ? firstLog(answer) : joinLog(this.log, answer, true);
    });
  }

  async readOlder(): Promise<void> {
    await this.readingOlder.run(async () => {
      const before = this.log?.older ?? null;
      if (before === null) return;
      const answer = await this.#fetch({ before });
      if (this.log !== null) this.log = joinLog(this.log, answer, false);
    });
  }

  #touch(): void {
    clearTimeout(this.#settle);
    this.#settle = setTimeout(() => void this.read(), SETTLE_MS);
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.read();
    }, READ_EVERY_MS);
  }

  async #fetch(query: Record<string, string>): Promise<SessionActivity> {
    return this.#feed.rest.call('getSessionActivity', { session: this.#session, query });
  }
}
