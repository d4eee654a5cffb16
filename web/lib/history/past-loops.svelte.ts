/** The loops of all sessions: read once, then each session's newest again after a change. */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import { coalesceReads } from '$lib/state/coalesce.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import { isOfLoop } from '$shared/rules/loop-history.ts';
import type { PastLoop } from '$shared/schema/loops/past-loop.ts';
import { mergeLoops } from './loop-filter.ts';

/** A loop with the time its numbers are from, in milliseconds. */
export interface RunReading {
  readonly run: PastLoop;
  readonly readAt: number;
}

/** The most one answer holds. */
export const LISTED_RUNS = 200;
/** A new loop can end another one without a recorded end. */
const NEWEST_RUNS = 2;
/** A burst of events is followed by one read. */
const READ_DELAY_MS = 500;

export class Runs {
  list = $state.raw<readonly RunReading[] | null>(null);
  readonly reading = new Attempt();
  readonly #feed: Feed;
  readonly #touch: (session: string) => void;

  constructor(feed: Feed) {
    this.#feed = feed;
    this.#touch = coalesceReads(
      READ_DELAY_MS,
      (session) => this.#fetch({ session, limit: String(NEWEST_RUNS) }),
      (_, read) => (this.list = mergeLoops(this.list ?? [], read)),
    );
  }

  async read(): Promise<void> {
    await this.reading.run(async () => {
      const startedAt = Date.now();
      const all = await this.#fetch({ limit: String(LISTED_RUNS) });
      // A session read since then may be newer than this answer.
      const newer = (this.list ?? []).filter(({ readAt }) => readAt > startedAt);
      this.list = mergeLoops(all, newer);
    });
  }

  /** Reads again what an event changes; call the result to stop. */
  follow(): () => void {
    return this.#feed.listen(({ type, session }) => {
      if (session !== undefined && isOfLoop(type)) this.#touch(session);
    });
  }

  async #fetch(query: Record<string, string>): Promise<RunReading[]> {
    const { runs } = await this.#feed.rest.call('listPastLoops', { query });
    const readAt = Date.now();
    return runs.map((run) => ({ run, readAt }));
  }
}
