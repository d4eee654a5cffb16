/** All tasks: read each time the connection comes up, updated by their events. */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import { readAmidViews } from '$lib/state/read-amid-views.ts';
import { throttleReads } from '$lib/state/throttle.ts';
import { movesQueue } from '$shared/rules/events/event-reach.ts';
import type { Views } from '$shared/schema/events/protocol.ts';
import type { Task } from '$shared/schema/tasks/task.ts';
import {
  applyTaskEvent,
  changesTests,
  isTaskEvent,
  mustRead,
  type Tasks,
  withTaskViews,
} from './apply-task-event.ts';

/** Minimum time between two reads of a task. */
export const READ_TASK_EVERY_MS = 300;
/** Minimum time between two reads of the queue positions. */
const READ_ALL_EVERY_MS = 1000;
/** The most one answer holds. */
export const LISTED_TASKS = 1000;

export class TaskList {
  tasks = $state.raw<Tasks | null>(null);
  readonly reading = new Attempt();

  readonly #feed: Feed;
  /** Removed while a read of them may be in progress. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing shows it
  readonly #deleted = new Set<string>();
  readonly #readTask: (name: string) => void;
  readonly #readAll: (key: string) => void;

  constructor(feed: Feed) {
    this.#feed = feed;
    this.#readTask = throttleReads(
      READ_TASK_EVERY_MS,
      async (name) => this.#readOne(name),
      () => undefined,
    );
    this.#readAll = throttleReads(
      READ_ALL_EVERY_MS,
      async () => this.#readList(),
      () => undefined,
    );
  }

  /** Reads and then follows events; call the result to stop. */
  follow(): () => void {
    const ignore = this.#feed.listen((event) => {
      const before = this.tasks;
      const isQueued = Object.values(before ?? {}).some((task) => task.queue_position !== null);
      const { carriesViews } = this.#feed;
      if (!carriesViews && isQueued && movesQueue(event.type)) this.#readAll('all');
      if (!isTaskEvent(event)) return;
      if (event.type === 'task.deleted') this.#deleted.add(event.data.task);
      if (event.type === 'task.created') this.#deleted.delete(event.data.task);
      if (before !== null) this.tasks = applyTaskEvent(before, event);
      if (carriesViews ? changesTests(event) : mustRead(event)) this.#readTask(event.data.task);
    });
    const ignoreViews = this.#feed.listenViews((views) => this.#follow(views));
    void this.read();
    return () => {
      ignore();
      ignoreViews();
    };
  }

  async read(): Promise<void> {
    await this.reading.run(async () => this.#readList());
  }

  /** Shows a task that was just created without waiting for its event. */
  add(task: Task): void {
    this.#set(task.task_name, task);
  }

  async #readList(): Promise<void> {
    await readAmidViews(
      this.#feed,
      async () => this.#feed.rest.call('listTasks', { query: { limit: String(LISTED_TASKS) } }),
      (list) => {
        // Lists do not include tests; keep the known ones.
        const testsOf = (name: string) => this.tasks?.[name]?.test_cases;
        this.tasks = Object.fromEntries(
          list.map((task) => {
            const test_cases = testsOf(task.task_name) ?? task.test_cases;
            return [task.task_name, { ...task, test_cases }];
          }),
        );
      },
      (views) => this.#follow(views),
    );
  }

  async #readOne(name: string): Promise<void> {
    await readAmidViews(
      this.#feed,
      async () => this.#feed.rest.call('getTask', { task: name }),
      (task) => {
        if (!this.#deleted.has(name)) this.#set(name, task);
      },
      (views) => this.#follow(views),
    );
  }

  #follow(views: Views): void {
    if (this.tasks !== null) this.tasks = withTaskViews(this.tasks, views);
  }

  #set(name: string, task: Task): void {
    this.tasks = { ...this.tasks, [name]: { ...task, interactions: [] } };
  }
}
