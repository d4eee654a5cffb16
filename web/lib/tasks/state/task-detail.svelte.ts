/** One task with its tests, kept current by its events. */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import { readAmidViews } from '$lib/state/read-amid-views.ts';
import { throttleReads } from '$lib/state/throttle.ts';
import type { Views } from '$shared/schema/events/protocol.ts';
import type { Task } from '$shared/schema/tasks/task.ts';
import { applyTaskEvent, changesTests, isTaskEvent, mustRead } from './apply-task-event.ts';
import { READ_TASK_EVERY_MS } from './task-list.svelte.ts';

export class TaskDetail {
  task = $state.raw<Task | null>(null);
  /** The task does not exist or no longer exists. */
  isMissing = $state(false);
  /** When the task was read, in milliseconds; its clock continues from there. */
  readAt = $state.raw(0);
  readonly reading = new Attempt();

  readonly #feed: Feed;
  readonly #name: string;
  readonly #readSoon: (name: string) => void;

  constructor(feed: Feed, name: string) {
    this.#feed = feed;
    this.#name = name;
    this.#readSoon = throttleReads(
      READ_TASK_EVERY_MS,
      async () => this.#read(),
      () => undefined,
    );
  }

  /** Reads and then follows events; call the result to stop. */
  follow(): () => void {
    const ignore = this.#feed.listen((event) => {
      if (!isTaskEvent(event) || event.data.task !== this.#name) return;
      if (event.type === 'task.deleted') this.isMissing = true;
      if (event.type === 'task.created') this.isMissing = false;
      if (this.task !== null) {
        this.task = applyTaskEvent({ [this.#name]: this.task }, event)[this.#name] ?? this.task;
      }
      if (this.#feed.carriesViews ? changesTests(event) : mustRead(event)) {
        this.#readSoon(this.#name);
      }
    });
    const ignoreViews = this.#feed.listenViews((views) => this.#follow(views));
    void this.read();
    return () => {
      ignore();
      ignoreViews();
    };
  }

  async read(): Promise<void> {
    await this.reading.run(async () => this.#read());
    this.isMissing = this.reading.error?.code === 'task_unknown';
  }

  show(task: Task): void {
    this.task = task;
    this.readAt = Date.now();
  }

  async #read(): Promise<void> {
    await readAmidViews(
      this.#feed,
      async () => this.#feed.rest.call('getTask', { task: this.#name }),
      (task) => this.show(task),
      (views) => this.#follow(views),
    );
  }

  #follow({ tasks }: Views): void {
    const view = tasks.find(({ task_name }) => task_name === this.#name);
    if (this.task === null || view === undefined) return;
    const { test_cases, interactions } = this.task;
    this.show({ ...view, test_cases, interactions });
  }
}
