/** All tasks: found by name or id, started in queue order, as many at once as there are slots. */
import type { Task, TaskQuery, TaskStatusView } from '../../shared/schema/tasks/task.ts';
import type { TaskStatus } from '../../shared/schema/tasks/task-status.ts';
import type { BudgetedWork } from '../budgets/budgeted-work.ts';
import type { WorkClaims } from '../claims/work-claims.ts';
import { AppError } from '../lib/app-error.ts';
import type { Dispatcher } from '../supervision/dispatcher.ts';
import type { QueuedWork } from '../supervision/schedule-queue.ts';
import type { WorkPlaces } from '../supervision/work-places.ts';
import { takenPlaces } from './create-task.ts';
import { isAtWork } from './machine/ending.ts';
import { isHeldBack } from './machine/step.ts';
import type { TaskRecord } from './stores/task-record.ts';
import { taskClaim } from './executor/task-claim.ts';
import { TaskSupervisor } from './executor/task-supervisor.ts';
import type { SupervisorOptions } from './executor/task-supervisor-options.ts';
import { taskWork } from './executor/task-usage.ts';
import { selectTasks } from './select-tasks.ts';
import { type TaskSurroundings, taskStatusView, taskView } from './task-view.ts';

export interface SchedulerOptions extends Omit<SupervisorOptions, 'onChanged'> {
  dispatcher: Dispatcher;
  places: WorkPlaces;
  /** Null: no other host could do the same work. */
  claims: WorkClaims | null;
}

/** Interactions in one answer. */
const SHOWN_INTERACTIONS = 100;
export class TaskScheduler {
  readonly #options: SchedulerOptions;
  readonly #tasks = new Map<string, TaskSupervisor>();
  #isOpen = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    options.claims?.add(() => [...this.#tasks.values()].map(taskClaim));
    options.places.add('task', () => takenPlaces(this.records()));
    options.budgets.addSource(() => ({
      atWork: this.#works(isAtWork),
      waiting: this.#works((state) => state.stage === 'queued' || isHeldBack(state)),
    }));
    options.budgets.onChange(() => this.budgetsChanged());
    options.dispatcher.add({
      inLine: () => this.#inLine(),
      grant: (id) => this.#grant(this.#tasks.get(id)),
      awaitsQuota: (id) => this.#tasks.get(id)?.awaitsQuota === true,
      isLimited: () =>
        this.records().some(({ state }) => state.isLimited && state.stage === 'queued'),
    });
  }

  /** A budget or the reserve was changed: what waits for one may continue. */
  budgetsChanged(): void {
    for (const task of this.#tasks.values()) {
      if (isHeldBack(task.record.state)) task.notice({ kind: 'budget_changed' });
    }
    this.#options.dispatcher.schedule();
  }

  /**
   * Recovers what an earlier daemon left; from now on tasks begin. Returns the ids of turns under
   * way.
   */
  open({ isRestored }: { isRestored: boolean }): ReadonlySet<string> {
    for (const record of this.#options.store.load()) this.#supervise(record);
    this.#isOpen = true;
    const turns = this.records().flatMap(({ state }) => state.turn?.id ?? []);
    for (const task of this.#tasks.values()) {
      if (isRestored) task.endRestored();
      else task.recover();
    }
    this.#options.dispatcher.schedule();
    return new Set(isRestored ? [] : turns);
  }

  /** For a task that is already stored. */
  add(record: TaskRecord): TaskSupervisor {
    return this.#supervise(record);
  }

  /** For a task that is no longer stored. */
  drop(id: string): void {
    void this.#tasks.get(id)?.dispose();
    this.#tasks.delete(id);
    this.#options.claims?.settle();
    this.#options.dispatcher.schedule();
  }

  find(name: string): TaskSupervisor | null {
    const key = name.toLowerCase();
    const tasks = [...this.#tasks.values()];
    return tasks.find(({ record }) => record.name.toLowerCase() === key) ?? null;
  }

  /** Throws `task_unknown`. */
  byName(name: string): TaskSupervisor {
    const task = this.find(name);
    if (task !== null) return task;
    throw new AppError('task_unknown', `no task named ${name}; list them with: loopwatch task ls`);
  }

  /** Throws `task_unknown`. */
  byId(id: string): TaskSupervisor {
    const task = this.#tasks.get(id);
    if (task === undefined)
      throw new AppError('task_unknown', 'no task with that id; list them with: loopwatch task ls');
    return task;
  }

  /**
   * Runs `act` alone with the task, if it still exists. Throws `task_unknown`, and what `act`
   * throws.
   */
  async alone<Result>(task: TaskSupervisor, act: () => Promise<Result>): Promise<Result> {
    return task.alone(async () => {
      this.byId(task.record.id);
      return act();
    });
  }

  records(): TaskRecord[] {
    return [...this.#tasks.values()].map(({ record }) => record);
  }

  /** One task with its tests and its newest interactions. */
  view(task: TaskSupervisor): Task {
    const { testCases, interactions } = this.#options;
    const { record } = task;
    return taskView(record, this.#surroundings(task), {
      testCases: testCases.of(record.id),
      interactions: interactions.page(record.id, { limit: SHOWN_INTERACTIONS }),
    });
  }

  status(task: TaskSupervisor): TaskStatusView {
    const { testCases, interactions } = this.#options;
    const { id } = task.record;
    const latest = interactions.latestResponse(id);
    return taskStatusView(task.record, this.#surroundings(task), {
      testCases: testCases.of(id),
      latest,
    });
  }

  /** One task as lists have it; null when there is none. */
  listed(name: string): Task | null {
    const task = this.find(name);
    return task && this.#listed(task);
  }

  /** Those that wait to begin, as lists have them. */
  queued(): Task[] {
    return [...this.#tasks.values()]
      .filter(({ record }) => record.state.stage === 'queued')
      .map((task) => this.#listed(task));
  }

  list(query: TaskQuery): Task[] {
    return selectTasks([...this.#tasks.values()], query).map((task) => this.#listed(task));
  }

  ofProject(projectId: string): Task[] {
    return [...this.#tasks.values()]
      .filter(({ record }) => record.projectId === projectId)
      .map((task) => this.#listed(task));
  }

  statuses(): TaskStatus[] {
    return this.records().map(({ state }) => state.status);
  }

  /** Whether a queued task would begin now. */
  hasSlot(id: string): boolean {
    const { claims, dispatcher } = this.#options;
    const isClaimed = claims === null || this.#tasks.get(id)?.record.state.claims !== null;
    return isClaimed && dispatcher.hasSlot(id);
  }

  /** The daemon stops: turns keep running, and the next daemon continues them. */
  async dispose(): Promise<void> {
    this.#isOpen = false;
    await Promise.all([...this.#tasks.values()].map(async (task) => task.dispose()));
  }

  #supervise(record: TaskRecord): TaskSupervisor {
    const onChanged = () => {
      this.#options.claims?.observe(taskClaim(task));
      this.#options.dispatcher.schedule();
    };
    const task: TaskSupervisor = new TaskSupervisor(record, { ...this.#options, onChanged });
    this.#tasks.set(record.id, task);
    return task;
  }

  /** False when that could not be stored. */
  #grant(task: TaskSupervisor | undefined): boolean {
    // Granted once it is claimed.
    if (task === undefined || this.#options.claims?.isReady(taskClaim(task)) === false) return true;
    return task.notice({ kind: 'granted' });
  }

  #works(isWanted: (state: TaskRecord['state']) => boolean): BudgetedWork[] {
    return this.records()
      .filter(({ state }) => isWanted(state))
      .map(taskWork);
  }

  #inLine(): QueuedWork[] {
    if (!this.#isOpen) return [];
    return [...this.#tasks.values()].map((task) => {
      const { id, name, plan, state } = task.record;
      return {
        id,
        name,
        queuedAtMs: state.stage === 'queued' ? state.queuedAtMs : null,
        isUrgent: state.isUrgent,
        priority: plan.priority,
        dependsOn: plan.dependsOn,
        isAtWork: isAtWork(state),
        isCompleted: state.status === 'COMPLETED',
        isOver: state.stage === 'none' && state.status !== 'PENDING',
        isHeld:
          task.isHeld ||
          task.awaitsQuota ||
          this.#options.claims?.isHeld(id) === true ||
          (state.stage === 'queued' && task.hold?.kind === 'shared'),
      };
    });
  }

  #listed(task: TaskSupervisor): Task {
    return taskView(task.record, this.#surroundings(task));
  }

  #surroundings(task: TaskSupervisor): TaskSurroundings {
    const { worktrees, interactions, inputs, claims, dispatcher } = this.#options;
    const { id } = task.record;
    return {
      worktrees: worktrees.of(id),
      place: dispatcher.place(id),
      hold: task.hold,
      claim: claims?.waitOf(id) ?? null,
      activeMs: task.activeMs,
      interactionCount: interactions.countReplies(id),
      hasPendingInput: inputs.next(id) !== null,
    };
  }
}
