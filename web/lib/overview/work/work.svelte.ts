/**
 * The tasks, runs and ended loops that the overview shows next to the sessions: read each time the
 * connection comes up, then changed by events. What events do not carry is read again for all of
 * them together, at most once per `READ_EVERY_MS`.
 */
import { applyRunEvent, isRunEvent, mustReadRun } from '$lib/runs/state/apply-run-event.ts';
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import { readAmidViews } from '$lib/state/read-amid-views.ts';
import { throttleReads } from '$lib/state/throttle.ts';
import {
  applyTaskEvent,
  isTaskEvent,
  mustRead,
  type Tasks,
  withTaskViews,
} from '$lib/tasks/state/apply-task-event.ts';
import type { EventRecord } from '$shared/schema/events/events.ts';
import type { PastLoop } from '$shared/schema/loops/past-loop.ts';
import type { Views } from '$shared/schema/events/protocol.ts';
import type { RunSummary } from '$shared/schema/runs/run.ts';
import type { Task } from '$shared/schema/tasks/task.ts';

const READ_EVERY_MS = 3_000;
/** The most one answer holds. */
const LISTED = '1000';
const LISTED_LOOPS = '200';

type Part = 'tasks' | 'runs' | 'loops';

export class Work {
  tasks = $state.raw<Tasks>({});
  runs = $state.raw<Readonly<Record<string, RunSummary>>>({});
  /** The newest loops of all sessions, running ones included. */
  loops = $state.raw<readonly PastLoop[]>([]);
  readonly reading = new Attempt();
  readonly #feed: Feed;
  readonly #touch: (part: Part) => void;

  constructor(feed: Feed) {
    this.#feed = feed;
    const read: Record<Part, () => Promise<void>> = {
      tasks: () => this.#readTasks(),
      runs: () => this.#readRuns(),
      loops: () => this.#readLoops(),
    };
    this.#touch = throttleReads(
      READ_EVERY_MS,
      async (part) => read[part as Part](),
      () => undefined,
    );
  }

  /** Reads now and follows the events; call the result to stop. */
  follow(): () => void {
    void this.read();
    const ignore = this.#feed.listen((event) => this.#apply(event));
    const ignoreViews = this.#feed.listenViews((views) => this.#follow(views));
    return () => {
      ignore();
      ignoreViews();
    };
  }

  async read(): Promise<void> {
    await this.reading.run(async () => {
      await Promise.all([this.#readTasks(), this.#readRuns(), this.#readLoops()]);
    });
  }

  /** What other hosts keep of a host that cannot be reached: not its ended loops. */
  async readCopies(): Promise<void> {
    await this.reading.run(async () => {
      const [tasks, { runs }] = await Promise.all([
        this.#feed.rest.call('listTasks', { query: { limit: LISTED } }),
        this.#feed.rest.call('listRuns', { query: { limit: LISTED } }),
      ]);
      this.#showTasks(tasks);
      this.#showRuns(runs);
    });
  }

  #apply(event: EventRecord): void {
    if (event.type === 'auto.ended' || event.type === 'auto.started') this.#touch('loops');
    if (isTaskEvent(event)) {
      this.tasks = applyTaskEvent(this.tasks, event);
      if (!this.#feed.carriesViews && mustRead(event)) this.#touch('tasks');
    }
    if (!isRunEvent(event)) return;
    const { run: id } = event.data;
    const known = this.runs[id];
    const next = known && applyRunEvent(known, event);
    if (next) this.runs = { ...this.runs, [id]: next };
    if (next === null) {
      this.runs = Object.fromEntries(Object.entries(this.runs).filter(([key]) => key !== id));
    }
    if (!this.#feed.carriesViews && mustReadRun(event)) this.#touch('runs');
  }

  #follow(views: Views): void {
    this.tasks = withTaskViews(this.tasks, views);
    const runs = views.runs.map((run) => [run.id, run] as const);
    this.runs = { ...this.runs, ...Object.fromEntries(runs) };
  }

  async #readTasks(): Promise<void> {
    await readAmidViews(
      this.#feed,
      async () => this.#feed.rest.call('listTasks', { query: { limit: LISTED } }),
      (tasks) => this.#showTasks(tasks),
      (views) => this.#follow(views),
    );
  }

  #showTasks(tasks: readonly Task[]): void {
    this.tasks = Object.fromEntries(tasks.map((task) => [task.task_name, task]));
  }

  async #readRuns(): Promise<void> {
    const query = { limit: LISTED, problems: 'unreadable', max_problems: '1' };
    await readAmidViews(
      this.#feed,
      async () => this.#feed.rest.call('listRuns', { query }),
      ({ runs }) => this.#showRuns(runs),
      (views) => this.#follow(views),
    );
  }

  #showRuns(runs: readonly RunSummary[]): void {
    this.runs = Object.fromEntries(runs.map((run) => [run.id, run]));
  }

  async #readLoops(): Promise<void> {
    const { runs } = await this.#feed.rest.call('listPastLoops', {
      query: { limit: LISTED_LOOPS },
    });
    this.loops = runs;
  }
}
