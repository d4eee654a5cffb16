/** All runs: read each time the connection comes up, updated by their events. */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import { readAmidViews } from '$lib/state/read-amid-views.ts';
import { throttleReads } from '$lib/state/throttle.ts';
import type { Views } from '$shared/schema/events/protocol.ts';
import type { RunProblem, RunSummary } from '$shared/schema/runs/run.ts';
import type { RunEvent } from '$shared/words/events/describe-run-event.ts';
import { applyRunEvent, isRunEvent, mustReadRun } from './apply-run-event.ts';

/** Minimum time between two reads of a run. */
export const READ_RUN_EVERY_MS = 300;
/** The most the list shows. */
const LISTED = { limit: '1000', problems: 'unreadable', max_problems: '50' };

/** A run with the time its numbers are from, in milliseconds. */
export interface RunReading {
  run: RunSummary;
  readAt: number;
}

export class RunList {
  runs = $state.raw<Readonly<Record<string, RunReading>> | null>(null);
  /** Of stored runs that cannot be read. */
  problems = $state.raw<readonly RunProblem[]>([]);
  /** Including those beyond the limits. */
  total = $state(0);
  problemsTotal = $state(0);
  readonly reading = new Attempt();

  readonly #feed: Feed;
  /** Removed while a read of them may be in progress. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing shows it
  readonly #deleted = new Set<string>();
  readonly #readRun: (id: string) => void;

  constructor(feed: Feed) {
    this.#feed = feed;
    this.#readRun = throttleReads(
      READ_RUN_EVERY_MS,
      async (id) => feed.rest.call('getRun', { item: id }),
      (id, run) => {
        if (!this.#deleted.has(id)) this.add(run);
      },
    );
  }

  /** Reads and then follows events; call the result to stop. */
  follow(): () => void {
    const ignore = this.#feed.listen((event) => {
      if (!isRunEvent(event)) return;
      const id = event.data.run;
      if (event.type === 'run.deleted') this.#deleted.add(id);
      else this.#deleted.delete(id);
      this.#apply(id, event);
      if (!this.#feed.carriesViews && mustReadRun(event)) this.#readRun(id);
    });
    const ignoreViews = this.#feed.listenViews((views) => this.#follow(views));
    void this.read();
    return () => {
      ignore();
      ignoreViews();
    };
  }

  async read(): Promise<void> {
    await this.reading.run(async () =>
      readAmidViews(
        this.#feed,
        async () => this.#feed.rest.call('listRuns', { query: LISTED }),
        (answer) => {
          const readAt = Date.now();
          this.runs = Object.fromEntries(answer.runs.map((run) => [run.id, { run, readAt }]));
          this.problems = answer.problems;
          this.total = answer.total;
          this.problemsTotal = answer.problems_total;
        },
        (views) => this.#follow(views),
      ),
    );
  }

  /** Shows a run that was just started without waiting for its event. */
  add(run: RunSummary): void {
    this.runs = { ...this.runs, [run.id]: { run, readAt: Date.now() } };
  }

  #follow({ runs }: Views): void {
    if (this.runs !== null) for (const run of runs) this.add(run);
  }

  #apply(id: string, event: RunEvent): void {
    const known = this.runs?.[id];
    if (known === undefined) return;
    const run = applyRunEvent(known.run, event);
    if (run !== null) {
      this.runs = { ...this.runs, [id]: { ...known, run } };
      return;
    }
    this.runs = Object.fromEntries(Object.entries(this.runs ?? {}).filter(([key]) => key !== id));
  }
}
