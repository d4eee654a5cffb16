/** One run, kept current by its events. */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import { throttleReads } from '$lib/state/throttle.ts';
import type { Run } from '$shared/schema/runs/run.ts';
import { applyRunEvent, isRunEvent, mustReadRun } from './apply-run-event.ts';
import { READ_RUN_EVERY_MS } from './run-list.svelte.ts';

export class RunDetail {
  run = $state.raw<Run | null>(null);
  /** It does not exist or no longer exists. */
  isMissing = $state(false);
  /** When it was read, in milliseconds; its clock continues from there. */
  readAt = $state.raw(0);
  readonly reading = new Attempt();

  readonly #feed: Feed;
  readonly #id: string;
  readonly #readSoon: (id: string) => void;

  constructor(feed: Feed, id: string) {
    this.#feed = feed;
    this.#id = id;
    this.#readSoon = throttleReads(
      READ_RUN_EVERY_MS,
      async () => feed.rest.call('getRun', { item: id }),
      (_, run) => this.show(run),
    );
  }

  /** Reads and then follows events; call the result to stop. */
  follow(): () => void {
    const ignore = this.#feed.listen((event) => {
      if (!isRunEvent(event) || event.data.run !== this.#id) return;
      if (event.type === 'run.deleted') this.isMissing = true;
      if (event.type === 'run.created') this.isMissing = false;
      if (this.run !== null) this.run = applyRunEvent(this.run, event) ?? this.run;
      if (mustReadRun(event)) this.#readSoon(this.#id);
    });
    // What an event does not carry, such as the stage, comes with the view of the run.
    const ignoreViews = this.#feed.listenViews(({ runs }) => {
      const seen = runs.find(({ id }) => id === this.#id);
      if (seen !== undefined && this.run !== null) this.show({ ...this.run, ...seen });
    });
    void this.read();
    return () => {
      ignore();
      ignoreViews();
    };
  }

  async read(): Promise<void> {
    await this.reading.run(async () => {
      this.show(await this.#feed.rest.call('getRun', { item: this.#id }));
    });
    this.isMissing = this.reading.error?.code === 'run_unknown';
  }

  show(run: Run): void {
    this.run = run;
    this.readAt = Date.now();
  }
}
