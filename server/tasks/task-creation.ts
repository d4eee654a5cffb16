/** Creates tasks: planned, stored, with their worktrees; one with an id exactly once. */
import { randomUUID } from 'node:crypto';
import type { Placed } from '../../shared/schema/tasks/placement.ts';
import type { CreateTask, Task } from '../../shared/schema/tasks/task.ts';
import type { EventLog } from '../events/event-log.ts';
import { AppError } from '../lib/app-error.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import { contentHash } from '../lib/files/content-hash.ts';
import { Serial } from '../lib/serial.ts';
import { untilStored } from '../lib/until-stored.ts';
import type { Projects } from '../projects/projects.ts';
import type { WorkPlaces } from '../supervision/work-places.ts';
import { repositoryKey } from '../worktrees/git/repository-key.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';
import {
  directoriesOf,
  hasWorktree,
  type PlanOptions,
  planTask,
  requireDependencies,
  requireFreeNames,
  requireNew,
} from './create-task.ts';
import type { TaskSupervisor } from './executor/task-supervisor.ts';
import { worktreeRequests } from './executor/work-directories.ts';
import { foundDirectories } from './found-directories.ts';
import { freshTask } from './machine/fresh-task.ts';
import type { TaskPlan, TaskRecord } from './stores/task-record.ts';
import type { TaskRequestStore } from './stores/task-request-store.ts';
import type { TaskStore } from './stores/task-store.ts';
import type { TaskScheduler } from './task-scheduler.ts';

export interface TaskCreationOptions extends PlanOptions {
  scheduler: TaskScheduler;
  places: WorkPlaces;
  store: TaskStore;
  requests: TaskRequestStore;
  projects: Projects;
  log: EventLog;
  clock: Clock;
  worktrees: Worktrees;
  /** The main worktree of the repository with that key on this host. */
  findRepository: (key: string) => Promise<string | null>;
}

/** What is stored with a new task. */
interface Making {
  id: string;
  author: string;
  placed: Placed | null;
  /** Of a request with an id. */
  hash: string | null;
}

export class TaskCreation {
  readonly #options: TaskCreationOptions;
  /** A request that is repeated waits for the first one. */
  readonly #serial = new Serial();

  constructor(options: TaskCreationOptions) {
    this.#options = options;
  }

  /**
   * Stores a task and creates its worktrees; if those cannot be created, nothing is left of it. With
   * an id, the same request again answers the task that exists, and completes what a crash
   * interrupted. Throws `task_id_taken`, `task_unknown` for one that was deleted since, and what
   * `planTask` and `Worktrees.create` throw.
   */
  async create(
    { handover, ...request }: CreateTask,
    author: string,
    placed = handover?.placed ?? null,
  ): Promise<Task> {
    const plan = async () =>
      handover === undefined
        ? request
        : foundDirectories(request, handover, this.#options.findRepository);
    const { id } = request;
    if (id === undefined) {
      return this.#make(await plan(), { id: randomUUID(), author, placed, hash: null });
    }
    return this.#serial.run(id, async () => {
      const { placement: _, ...content } = request;
      const hash = contentHash(content);
      const known = this.#options.requests.get(id);
      if (known !== null && known.hash === hash) return this.#again(request, known, author);
      const isTaken = this.#options.scheduler.records().some((record) => record.id === id);
      if (known !== null || isTaken) {
        const next = 'send another id for another task';
        throw new AppError('task_id_taken', `that id belongs to a different request; ${next}`);
      }
      return this.#make(await plan(), { id, author, placed, hash });
    });
  }

  /** The directories of a request, and the keys of their repositories; null without a remote. */
  async repositoriesOf(request: CreateTask): Promise<{ path: string; key: string | null }[]> {
    const { worktrees } = this.#options;
    const found = [];
    for (const path of directoriesOf(request, this.#options)) {
      const repository = await worktrees.repositoryOf(path);
      found.push({ path, key: repositoryKey(repository?.remote ?? null) });
    }
    return found;
  }

  async #make(request: CreateTask, making: Making): Promise<Task> {
    const { scheduler, places, worktrees } = this.#options;
    const plan = await planTask(request, scheduler.records(), this.#options);
    // Other tasks may have been created or deleted while git ran.
    requireNew(request.task_name, scheduler.records());
    requireFreeNames(plan, scheduler.records());
    requireDependencies(request.task_name, plan.dependsOn, scheduler.records());
    if (!hasWorktree(plan)) places.requireFree(plan.rootFolder, 'task');
    const task = this.#insert(request.task_name, { ...plan, placed: making.placed }, making);
    const { id, name } = task.record;
    await this.#complete(task, request, making.author, async () =>
      worktrees.create(id, name, worktreeRequests(name, plan)),
    );
    return scheduler.view(task);
  }

  /** The task of an earlier request. */
  async #again(
    request: CreateTask,
    { id, isWhole }: { id: string; isWhole: boolean },
    author: string,
  ): Promise<Task> {
    const { scheduler, worktrees } = this.#options;
    if (!scheduler.records().some((record) => record.id === id)) {
      const next = 'send another id to create it again';
      throw new AppError('task_unknown', `the task with that id was deleted since; ${next}`);
    }
    const task = scheduler.byId(id);
    const { name, plan } = task.record;
    if (!isWhole) {
      await this.#complete(task, request, author, async () =>
        worktrees.restore(id, name, worktreeRequests(name, plan)),
      );
    }
    return scheduler.view(task);
  }

  async #complete(
    task: TaskSupervisor,
    request: CreateTask,
    author: string,
    createWorktrees: () => Promise<unknown>,
  ): Promise<void> {
    const { scheduler, places, requests, clock } = this.#options;
    await scheduler.alone(task, async () => {
      try {
        await createWorktrees();
      } catch (error) {
        await untilStored(() => this.#forget(task.record), clock);
        throw error;
      }
    });
    const { id, plan, state } = task.record;
    const isNew = state.status === 'PENDING' && state.stage === 'none';
    if (request.auto_start && isNew) {
      // A run may have begun there while the worktrees were created.
      if (!hasWorktree(plan)) places.requireFree(plan.rootFolder, 'task');
      task.apply({ kind: 'begin', author });
    }
    if (request.id !== undefined) requests.finish(id);
  }

  #insert(name: string, plan: TaskPlan, { id, author, hash }: Making): TaskSupervisor {
    const { log, clock, store, requests, projects, scheduler } = this.#options;
    const at = toIso(clock.now());
    const { id: projectId } = projects.open(plan.rootFolder);
    const record: TaskRecord = {
      id,
      name,
      projectId,
      plan,
      state: freshTask(),
      createdBy: author,
      createdAt: at,
      updatedAt: at,
    };
    log.write((append) => {
      store.insert(record);
      if (hash !== null) requests.insert({ id, hash, isWhole: false });
      const place = { root_folder: plan.rootFolder, branch_name: plan.branchName };
      append({ type: 'task.created', data: { task: name, ...place, author } });
    });
    return scheduler.add(record);
  }

  #forget({ id, name }: TaskRecord): void {
    const { log, store, requests, scheduler } = this.#options;
    log.write((append) => {
      store.remove(id);
      requests.remove(id);
      append({ type: 'task.deleted', data: { task: name, kept: [] } });
    });
    scheduler.drop(id);
  }
}
