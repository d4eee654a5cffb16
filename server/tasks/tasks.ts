/** People's operations on tasks: start, stop, retry, copy, change, remove. */
import type { RetryQuery, Task, UpdateTask } from '../../shared/schema/tasks/task.ts';
import {
  type TaskAction,
  TASK_ACTIONS,
  takesAction,
} from '../../shared/rules/work/task-actions.ts';
import { copyName } from '../../shared/rules/work/suggest-name.ts';
import { AppError } from '../lib/app-error.ts';
import type { Ending } from '../agents/headless/end-turn.ts';
import type { EventLog } from '../events/event-log.ts';
import { Serial } from '../lib/serial.ts';
import type { WorkPlaces } from '../supervision/work-places.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';
import { copyOf, hasWorktree, isUnderWay, requireAlone, requireFreeNames } from './create-task.ts';
import { retried } from './criteria/limits.ts';
import type { TaskScheduler } from './task-scheduler.ts';
import type { TaskPlan, TaskRecord } from './stores/task-record.ts';
import type { TaskSupervisor } from './executor/task-supervisor.ts';
import type { TaskConversation } from './task-conversation.ts';
import type { TaskCreation } from './task-creation.ts';
import type { TaskWork } from './task-work.ts';
import { changedLocation, changedPlan } from './update-task.ts';
import { requireUsable, worktreeRequests } from './executor/work-directories.ts';

/** Added on recovery to a task that has used up its iterations. */
const RECOVERY_ITERATIONS = 10;

export interface TasksOptions {
  scheduler: TaskScheduler;
  places: WorkPlaces;
  creation: TaskCreation;
  talk: TaskConversation;
  work: TaskWork;
  log: Pick<EventLog, 'head'>;
  worktrees: Worktrees;
  roots: readonly string[];
}

/** `seq` is that of the event that records it. */
export interface StartedTask {
  status: 'running' | 'queued';
  seq: number;
}

export class Tasks {
  readonly #options: TasksOptions;
  readonly #serial = new Serial();

  constructor(options: TasksOptions) {
    this.#options = options;
  }

  /** Changes a task; a change of its directories replaces the worktrees it has. */
  async update(name: string, change: UpdateTask, author: string): Promise<Task> {
    const { scheduler } = this.#options;
    const task = scheduler.byName(name);
    const update = async () => this.#update(task, change, author);
    return scheduler.alone(task, async () =>
      // Two that may name each other: the second must see the first.
      change.depends_on === undefined ? update() : this.#serial.run('depends_on', update),
    );
  }

  async #update(task: TaskSupervisor, change: UpdateTask, author: string): Promise<Task> {
    const { scheduler, roots, worktrees } = this.#options;
    const before = task.record;
    const plan = changedPlan(before, change, scheduler.records(), roots);
    if (changedLocation(change) !== undefined) {
      const repository = await worktrees.repositoryOf(plan.rootFolder);
      plan.isRepository = repository !== null;
      plan.rootFolder = repository?.root ?? plan.rootFolder;
      await requireUsable({ worktrees }, plan);
      const others = scheduler.records().filter(({ id }) => id !== before.id);
      requireFreeNames(plan, others);
      if (!hasWorktree(plan)) this.#options.places.requireFree(plan.rootFolder, 'task');
      await this.#move(before, plan);
    }
    task.change(plan, (append) => {
      append({ type: 'task.changed', data: { task: before.name, author } });
    });
    // The older way to send input: queued once, like any other input.
    const input = change.custom_human_input?.trim() ?? '';
    if (input !== '') this.#options.talk.say(before.name, { input, interrupt: false }, author);
    return { ...scheduler.view(task), test_cases: [], interactions: [] };
  }

  start(name: string, author: string): StartedTask {
    const task = this.#requireAction(name, 'start');
    const isQueued = task.record.state.stage === 'queued';
    if (isQueued) return { status: 'queued', seq: this.#options.log.head };
    return this.#begin(task, () => task.apply({ kind: 'begin', author }));
  }

  /** Waits until what ran has ended; the stop itself is stored before. */
  async stop(name: string, author: string): Promise<{ ending: Ending; seq: number }> {
    const task = this.#options.scheduler.byName(name);
    if (task.record.state.stage !== 'queued') this.#requireAction(name, 'stop');
    const seq = task.apply({ kind: 'stop', author });
    return { ending: await task.ended(), seq };
  }

  resume(name: string, author: string): StartedTask {
    const task = this.#requireAction(name, 'resume');
    return this.#begin(task, () => task.apply({ kind: 'begin', author }));
  }

  /** Continues in a new conversation; a task that used up its iterations gets some more. */
  recover(name: string, author: string): StartedTask & { cleared: boolean } {
    const task = this.#requireAction(name, 'recover');
    const { plan, state } = task.record;
    const begun = this.#begin(task, () => {
      if (state.iterations >= plan.criteria.max_iterations) {
        this.#raise(task, { additional_iterations: RECOVERY_ITERATIONS }, author);
      }
      return task.apply({ kind: 'recover', author });
    });
    return { ...begun, cleared: state.conversationId !== null };
  }

  /** `more` is added to what was used. */
  retry(name: string, more: RetryQuery, author: string) {
    const task = this.#requireAction(name, 'retry');
    const begun = this.#begin(task, () => {
      this.#raise(task, more, author);
      return task.apply({ kind: 'begin', author });
    });
    return { ...begun, criteria: task.record.plan.criteria };
  }

  /** Forgets the conversation and starts over; earlier work is saved. */
  async clear(name: string, author: string) {
    const { scheduler, work } = this.#options;
    const task = scheduler.byName(name);
    this.#requirePlace(task);
    const cleared = await work.clear(task, author);
    const begun = this.#begin(task, () => task.apply({ kind: 'begin', author }));
    return { ...begun, ...cleared };
  }

  /** A new pending task with the same description; branch, worktree and conversation are its own. */
  async clone(name: string, newName: string | undefined, author: string): Promise<Task> {
    const { scheduler } = this.#options;
    const { plan, name: original } = scheduler.byName(name).record;
    const taken = scheduler.records().map((record) => record.name);
    const chosen = newName ?? copyName(original, taken);
    return this.#options.creation.create(copyOf(plan, chosen), author);
  }

  /** Replaces the worktrees; on failure the earlier ones are created again. */
  async #move({ id, name, plan: before }: TaskRecord, plan: TaskPlan): Promise<void> {
    const { worktrees } = this.#options;
    await worktrees.remove(id, name);
    try {
      await worktrees.create(id, name, worktreeRequests(name, plan));
    } catch (error) {
      await worktrees.create(id, name, worktreeRequests(name, before));
      throw error;
    }
  }

  #requireAction(name: string, action: TaskAction): TaskSupervisor {
    const task = this.#options.scheduler.byName(name);
    const { status } = task.record.state;
    if (takesAction(action, status)) return task;
    const from = TASK_ACTIONS[action].join(', ');
    const message = `${task.record.name} is ${status}; ${action} requires ${from}`;
    throw new AppError('wrong_task_status', message, { status });
  }

  #begin(task: TaskSupervisor, begin: () => number): StartedTask {
    this.#requirePlace(task);
    const seq = begin();
    const hasSlot = this.#options.scheduler.hasSlot(task.record.id);
    return { status: hasSlot ? 'running' : 'queued', seq };
  }

  /** Throws `project_busy`. */
  #requirePlace({ record: { id, plan } }: TaskSupervisor): void {
    if (hasWorktree(plan)) return;
    const { scheduler, places } = this.#options;
    requireAlone(
      plan,
      scheduler.records().filter((other) => other.id !== id && isUnderWay(other)),
    );
    places.requireFree(plan.rootFolder, 'task');
  }

  #raise(task: TaskSupervisor, more: Partial<RetryQuery>, author: string): void {
    const { plan, state } = task.record;
    const used = {
      iterations: state.iterations,
      tokens: state.outputTokens,
      cost_usd: state.costUsd,
      active_seconds: task.activeMs / 1000,
    };
    const criteria = { ...plan.criteria, ...retried(plan.criteria, used, more) };
    task.change({ ...plan, criteria }, (append) => {
      append({ type: 'task.changed', data: { task: task.record.name, author } });
    });
  }
}
