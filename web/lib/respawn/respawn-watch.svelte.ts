/** Respawn of one session: read when the page connects, after its events, and while it runs. */
import { untrack } from 'svelte';
import { asRequestError } from '$lib/client/request-error.ts';
import { Attempt } from '$lib/state/attempt.svelte.ts';
import { coalesceReads } from '$lib/state/coalesce.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import type { RespawnConfig, RespawnView } from '$shared/schema/loops/respawn.ts';
import { readRespawn, readRespawnConfig } from './respawn-calls.ts';

/** A burst of events is followed by one read. */
const READ_DELAY_MS = 100;
/** The layers change with time, without an event. */
const REREAD_MS = 5_000;

export class RespawnWatch {
  /** Null before the first answer, and for a session that was never kept going. */
  view = $state.raw<RespawnView | null>(null);
  config = $state.raw<RespawnConfig | null>(null);
  /** The daemon answered, and it can keep sessions going. */
  isAvailable = $state(false);

  readonly reading = new Attempt();
  readonly session: string;
  readonly #feed: Feed;
  readonly #touch: (session: string) => void;
  readonly #touchConfig: (session: string) => void;
  #readAt = 0;

  constructor(feed: Feed, session: string) {
    this.#feed = feed;
    this.session = session;
    this.#touch = coalesceReads(
      READ_DELAY_MS,
      async () => readRespawn(feed.rest, session),
      (_, view) => this.#take(view),
    );
    this.#touchConfig = coalesceReads(
      READ_DELAY_MS,
      async () => readRespawnConfig(feed.rest, session),
      (_, config) => (this.config = config),
    );
  }

  /** Reads now and after events; call the result to stop. */
  start(): () => void {
    // Untracked, so that this read does not restart the effect.
    untrack(() => void this.read());
    return this.#feed.listen(({ session, type }) => {
      if (session !== this.session || !type.startsWith('respawn.')) return;
      this.#touch(session);
      // Someone else may have changed it, in a shell too.
      if (type === 'respawn.configured') this.#touchConfig(session);
    });
  }

  /** To be called with each tick of the page's clock. */
  follow(clock: number): void {
    const { view } = this;
    if (view === null || view.state === 'stopped' || view.paused) return;
    if (clock - this.#readAt < REREAD_MS) return;
    this.#readAt = clock;
    this.#touch(this.session);
  }

  async read(): Promise<void> {
    await this.reading.run(async () => {
      try {
        const view = await readRespawn(this.#feed.rest, this.session);
        this.config = await readRespawnConfig(this.#feed.rest, this.session);
        this.#take(view);
      } catch (thrown) {
        // A daemon of another version, or a session that was closed meanwhile.
        if (!['not_found', 'session_unknown'].includes(asRequestError(thrown).code)) throw thrown;
      }
    });
  }

  #take(view: RespawnView | null): void {
    this.view = view;
    this.isAvailable = true;
    this.#readAt = Date.now();
  }
}
