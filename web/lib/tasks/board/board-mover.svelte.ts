/** What a person does on the board. A card moves only when the daemon has said so. */
import { asRequestError } from '$lib/client/request-error.ts';
import type { Announcer } from '$lib/state/announcer.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import type { Task } from '$shared/schema/tasks/task.ts';
import type { Tasks } from '../state/apply-task-event.ts';
import type { TaskList } from '../state/task-list.svelte.ts';
import { suggestMore } from '../work/retry-more.ts';
import { runStep } from '../work/run-step.ts';
import { STEP_TEXT, type TaskStep } from '../work/task-steps.ts';
import { type BoardMove, placeText, stepLabel } from './board-moves.ts';

export class BoardMover {
  /** The name of the task whose card is being dragged. */
  dragged = $state<string | null>(null);
  /** A step that asks first. */
  confirming = $state.raw<{ name: string; step: TaskStep } | null>(null);
  /** The latest refusal. */
  refusal = $state.raw<{ name: string; text: string } | null>(null);
  /** What is under way, by task: "Starting…". */
  busy = $state.raw<Readonly<Record<string, string>>>({});

  /** The status before a step that has not taken effect yet, by task. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing shows it
  readonly #before = new Map<string, Task['status']>();
  readonly #feed: Feed;
  readonly #list: TaskList;
  readonly #announcer: Announcer;

  constructor(feed: Feed, list: TaskList, announcer: Announcer) {
    this.#feed = feed;
    this.#list = list;
    this.#announcer = announcer;
  }

  move(task: Task, move: BoardMove): void {
    const { task_name: name } = task;
    if (this.busy[name] !== undefined) return;
    if ('priority' in move) {
      void this.#run(name, 'Changing priority…', 'The priority was not changed.', async () => {
        const { priority } = move;
        await this.#feed.rest.call('updateTask', { task: name, body: { priority } });
      });
    } else if (STEP_TEXT[move.step].question === null) {
      const { busy } = STEP_TEXT[move.step];
      const failed = `${stepLabel(move.step)} was refused.`;
      this.#before.set(name, task.status);
      void this.#run(name, busy, failed, async () => {
        const more = suggestMore(task.end_criteria_config);
        await runStep(this.#feed.rest, task, move.step, { more, removesWorktree: false });
      });
    } else {
      this.confirming = { name, step: move.step };
    }
  }

  /** Called after a step that its dialog has run. */
  async confirmed(name: string): Promise<void> {
    await this.#list.read();
    this.#say(name);
  }

  /** Call with the tasks when they have changed: a step may take effect after its answer. */
  follow(tasks: Tasks): void {
    for (const [name, status] of this.#before) {
      if (this.busy[name] !== undefined || tasks[name]?.status === status) continue;
      this.#say(name);
    }
  }

  async #run(
    name: string,
    label: string,
    failed: string,
    work: () => Promise<void>,
  ): Promise<void> {
    this.refusal = null;
    this.busy = { ...this.busy, [name]: label };
    this.#announcer.say(`${name}: ${label}`);
    try {
      await work();
      // The positions of the others in the queue have changed as well.
      await this.#list.read();
      this.#say(name);
    } catch (thrown) {
      this.#before.delete(name);
      this.refusal = { name, text: `${failed} ${asRequestError(thrown).message}` };
    } finally {
      const { [name]: _, ...others } = this.busy;
      this.busy = others;
    }
  }

  #say(name: string): void {
    const task = this.#list.tasks?.[name];
    if (task?.status !== this.#before.get(name)) this.#before.delete(name);
    if (task !== undefined) this.#announcer.say(placeText(task));
  }
}
