/** The queued input of a task, and the delivery of recent input. */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import { throttleReads } from '$lib/state/throttle.ts';
import type { TaskInputQueue } from '$shared/schema/tasks/task-input.ts';
import { isTaskEvent } from '../state/apply-task-event.ts';

const READ_EVERY_MS = 300;

export class InputQueue {
  queue = $state.raw<TaskInputQueue | null>(null);
  readonly cancelling = new Attempt();

  readonly #feed: Feed;
  readonly #name: string;
  readonly #readSoon: (name: string) => void;

  constructor(feed: Feed, name: string) {
    this.#feed = feed;
    this.#name = name;
    this.#readSoon = throttleReads(
      READ_EVERY_MS,
      async () => feed.rest.call('getTaskInputs', { task: name }),
      (_, queue) => (this.queue = queue),
    );
  }

  follow(): () => void {
    const ignore = this.#feed.listen((event) => {
      if (!isTaskEvent(event) || event.data.task !== this.#name) return;
      // Whether it can be delivered depends on the task's status.
      if (/^task\.(input_|status)/.test(event.type)) this.read();
    });
    this.read();
    return ignore;
  }

  read(): void {
    this.#readSoon(this.#name);
  }

  async cancel(input: string): Promise<void> {
    await this.cancelling.run(async () => {
      await this.#feed.rest.call('cancelTaskInput', { task: this.#name, input });
    });
    this.read();
  }
}
