/** The checks of a run with their output, read again when one begins or ends. */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import { throttleReads } from '$lib/state/throttle.ts';
import type { RunCheck } from '$shared/schema/runs/run.ts';
import { isRunEvent } from '../state/apply-run-event.ts';

const READ_EVERY_MS = 500;

export class RunChecks {
  list = $state.raw<readonly RunCheck[] | null>(null);
  readonly reading = new Attempt();

  readonly #feed: Feed;
  readonly #id: string;
  readonly #readSoon: (id: string) => void;

  constructor(feed: Feed, id: string) {
    this.#feed = feed;
    this.#id = id;
    this.#readSoon = throttleReads(
      READ_EVERY_MS,
      async () => this.#fetch(),
      (_, checks) => (this.list = checks),
    );
  }

  /** Reads and then follows events; call the result to stop. */
  follow(): () => void {
    const ignore = this.#feed.listen((event) => {
      if (!isRunEvent(event) || event.data.run !== this.#id) return;
      if (event.type === 'run.check') this.#readSoon(this.#id);
    });
    void this.read();
    return ignore;
  }

  async read(): Promise<void> {
    await this.reading.run(async () => {
      this.list = await this.#fetch();
    });
  }

  async #fetch(): Promise<readonly RunCheck[]> {
    return (await this.#feed.rest.call('getRunChecks', { item: this.#id })).checks;
  }
}
