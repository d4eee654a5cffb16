/**
 * The activity of one agent while it is in sight: read once, then each time its source says that there
 * may be more, from where the last reading ended.
 */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import { type ActivityLog, firstLog, joinLog } from './activity-log.ts';
import type { ActivitySource } from './activity-source.ts';

/** Between two readings while its screen changes. */
const READ_EVERY_MS = 1_000;
/** A client writes its transcript a moment after it draws, and some calls draw nothing. */
const SETTLE_MS = 3_000;

export class ActivityWatch {
  log = $state.raw<ActivityLog | null>(null);
  readonly reading = new Attempt();
  readonly readingOlder = new Attempt();
  readonly #source: ActivitySource;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #settle: ReturnType<typeof setTimeout> | undefined;

  constructor(source: ActivitySource) {
    this.#source = source;
  }

  /** Call the result to stop. */
  start(): () => void {
    void this.read();
    const unfollow = this.#source.follow(() => this.#touch());
    return () => {
      clearTimeout(this.#timer);
      clearTimeout(this.#settle);
      this.#timer = undefined;
      unfollow();
    };
  }

  async read(): Promise<void> {
    await this.reading.run(async () => {
      const after = this.log?.newer ?? null;
      const answer = await this.#source.read(after === null ? {} : { after });
      this.log =
        this.log === null || after === null ? firstLog(answer) : joinLog(this.log, answer, true);
    });
  }

  async readOlder(): Promise<void> {
    await this.readingOlder.run(async () => {
      const before = this.log?.older ?? null;
      if (before === null) return;
      const answer = await this.#source.read({ before });
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
}
