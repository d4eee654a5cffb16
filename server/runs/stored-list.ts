/**
 * The stored runs as a daemon lists them, for any number of readers: it remembers what it read, and
 * opens the directory again at most once a second.
 */
import { SummaryCache } from '../checkpoints/summary-cache.ts';
import type { Clock } from '../lib/clock.ts';
import { Serial } from '../lib/serial.ts';
import { listStoredRuns } from './list-stored-runs.ts';

/** Of ten thousand sessions each list takes some 50 ms: pages read it after every event of a run. */
const REUSE_MS = 1_000;

type Listed = Awaited<ReturnType<typeof listStoredRuns>>;

export class StoredList {
  readonly #home: string;
  readonly #clock: Clock;
  readonly #cache: SummaryCache;
  readonly #serial = new Serial();
  #last: { atMs: number; listed: Listed } | null = null;
  /** Of this daemon: a list that saw only some of them is not used again. */
  #changes = 0;
  /** The list that has not begun yet: all who ask until it does share it. */
  #next: Promise<Listed> | null = null;

  constructor(home: string, clock: Clock) {
    this.#home = home;
    this.#clock = clock;
    this.#cache = new SummaryCache(home);
  }

  /** Newest start first. Rejects as `listCheckpoints`. */
  async read(): Promise<Listed> {
    const last = this.#last;
    if (last !== null && this.#clock.monotonic() - last.atMs < REUSE_MS) return last.listed;
    this.#next ??= this.#serial.run('', async () => {
      this.#next = null;
      const changes = this.#changes;
      const listed = await listStoredRuns(this.#home, this.#clock.now(), { cache: this.#cache });
      if (changes === this.#changes) this.#last = { atMs: this.#clock.monotonic(), listed };
      return listed;
    });
    return this.#next;
  }

  /** This daemon removed or added a session: the next list shows it. */
  forget(): void {
    this.#changes += 1;
    this.#last = null;
  }
}
