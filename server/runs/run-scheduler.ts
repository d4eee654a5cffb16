/** All runs: found by id, started in queue order together with tasks. */
import type { BudgetedWork } from '../budgets/budgeted-work.ts';
import type { WorkClaims } from '../claims/work-claims.ts';
import { AppError } from '../lib/app-error.ts';
import { realDirectory } from '../lib/files/real-directory.ts';
import type { RunStatus } from '../../shared/schema/runs/run-phase.ts';
import type { Run, RunSummary } from '../../shared/schema/runs/run.ts';
import type { Dispatcher } from '../supervision/dispatcher.ts';
import type { QueuedWork } from '../supervision/schedule-queue.ts';
import type { WorkPlaces } from '../supervision/work-places.ts';
import { runClaim } from './executor/run-claim.ts';
import { runWork } from './executor/run-usage.ts';
import type { SupervisorOptions } from './executor/run-supervisor-options.ts';
import { RunSupervisor } from './executor/run-supervisor.ts';
import { isAtWork, isHeldBack, statusOf } from './machine/step.ts';
import { runSummary, type RunSurroundings, runView } from './run-view.ts';
import { hasWorktree, ownerOf, type RunRecord } from './stores/run-record.ts';

export interface RunSchedulerOptions extends Omit<SupervisorOptions, 'onChanged'> {
  dispatcher: Dispatcher;
  places: WorkPlaces;
  /** Null: no other host could do the same work. */
  claims: WorkClaims | null;
}

export class RunScheduler {
  readonly #options: RunSchedulerOptions;
  readonly #runs = new Map<string, RunSupervisor>();
  #isOpen = false;

  constructor(options: RunSchedulerOptions) {
    this.#options = options;
    options.claims?.add(() => [...this.#runs.values()].map(runClaim));
    options.places.add('run', () =>
      this.records()
        .filter(({ request, state }) => !hasWorktree(request) && state.now.stage !== 'over')
        .map(({ id, request }) => ({ name: `run ${id}`, directory: request.directory })),
    );
    options.budgets.addSource(() => ({
      atWork: this.#works(isAtWork),
      waiting: this.#works((now) => now.stage === 'queued' || isHeldBack(now)),
    }));
    options.budgets.onChange(() => this.budgetsChanged());
    options.dispatcher.add({
      inLine: () => this.#inLine(),
      grant: (id) => this.#grant(this.#runs.get(id)),
      awaitsQuota: (id) => this.#runs.get(id)?.awaitsQuota === true,
      isLimited: () =>
        this.records().some(({ state }) => state.isLimited && state.now.stage === 'queued'),
    });
  }

  /** A budget or the reserve was changed: what waits for one may continue. */
  budgetsChanged(): void {
    for (const run of this.#runs.values()) {
      if (isHeldBack(run.record.state.now)) run.notice({ kind: 'budget_changed' });
    }
    this.#options.dispatcher.schedule();
  }

  /**
   * Recovers what an earlier daemon left; from now on runs begin. Returns the ids of turns under
   * way.
   */
  open({ isRestored }: { isRestored: boolean }): ReadonlySet<string> {
    for (const record of this.#options.store.load()) this.#supervise(record);
    this.#isOpen = true;
    const turns = this.records().flatMap(({ state: { now } }) =>
      'turn' in now ? (now.turn?.id ?? []) : [],
    );
    for (const run of this.#runs.values()) {
      if (isRestored) run.endRestored();
      else run.recover();
    }
    this.#options.dispatcher.schedule();
    return new Set(isRestored ? [] : turns);
  }

  /** For a run that is already stored. */
  add(record: RunRecord): RunSupervisor {
    return this.#supervise(record);
  }

  /** For a run that is no longer stored. */
  drop(id: string): void {
    void this.#runs.get(id)?.dispose();
    this.#runs.delete(id);
    this.#options.claims?.settle();
    this.#options.dispatcher.schedule();
  }

  find(id: string): RunSupervisor | null {
    return this.#runs.get(id) ?? null;
  }

  /** Throws `run_unknown`. */
  byId(id: string): RunSupervisor {
    const run = this.find(id);
    if (run !== null) return run;
    throw new AppError(
      'run_unknown',
      `Session not found: no run ${id}; list them with: loopwatch run ls`,
    );
  }

  records(): RunRecord[] {
    return [...this.#runs.values()].map(({ record }) => record);
  }

  statuses(): RunStatus[] {
    return this.records().map(({ state }) => statusOf(state.now));
  }

  view(run: RunSupervisor): Run {
    return runView(run.record, this.#surroundings(run, new Map()));
  }

  /** Null when there is none. */
  summary(id: string): RunSummary | null {
    const run = this.find(id);
    return run === null ? null : runSummary(run.record, this.#surroundings(run, new Map()));
  }

  /** Newest first. */
  summaries(): RunSummary[] {
    const directories = new Map<string, boolean>();
    return [...this.#runs.values()]
      .reverse()
      .map((run) => runSummary(run.record, this.#surroundings(run, directories)));
  }

  /** The daemon stops: turns keep running, and the next daemon continues them. */
  async dispose(): Promise<void> {
    this.#isOpen = false;
    await Promise.all([...this.#runs.values()].map(async (run) => run.dispose()));
  }

  #supervise(record: RunRecord): RunSupervisor {
    const onChanged = () => {
      this.#options.claims?.observe(runClaim(run));
      this.#options.dispatcher.schedule();
    };
    const run: RunSupervisor = new RunSupervisor(record, { ...this.#options, onChanged });
    this.#runs.set(record.id, run);
    return run;
  }

  /** False when that could not be stored. */
  #grant(run: RunSupervisor | undefined): boolean {
    // Granted once it is claimed.
    if (run === undefined || this.#options.claims?.isReady(runClaim(run)) === false) return true;
    return run.notice({ kind: 'granted' });
  }

  #works(isWanted: (now: RunRecord['state']['now']) => boolean): BudgetedWork[] {
    return this.records()
      .filter(({ state }) => isWanted(state.now))
      .map(runWork);
  }

  #inLine(): QueuedWork[] {
    if (!this.#isOpen) return [];
    return [...this.#runs.values()].map((run) => {
      const { id, state } = run.record;
      const { now } = state;
      const isQueued = now.stage === 'queued';
      return {
        id,
        name: ownerOf(id),
        queuedAtMs: isQueued ? now.sinceMs : null,
        isUrgent: isQueued && now.isUrgent,
        priority: 0,
        dependsOn: [],
        isAtWork: isAtWork(now),
        isCompleted: now.stage === 'over' && now.result.status === 'done',
        isOver: now.stage === 'over',
        isHeld:
          run.isHeld ||
          run.awaitsQuota ||
          this.#options.claims?.isHeld(id) === true ||
          (isQueued && run.hold?.kind === 'shared'),
      };
    });
  }

  /** `directories`: those that were looked up already. */
  #surroundings(run: RunSupervisor, directories: Map<string, boolean>): RunSurroundings {
    const { worktrees, inputs, dispatcher, clock, claims } = this.#options;
    const { id, request } = run.record;
    const { directory } = request;
    const isValid = directories.get(directory) ?? realDirectory(directory) !== null;
    directories.set(directory, isValid);
    return {
      worktree: worktrees.of(ownerOf(id))[0] ?? null,
      place: dispatcher.place(id),
      hold: run.hold,
      claim: claims?.waitOf(id) ?? null,
      activeMs: run.activeMs,
      hasPendingInput: inputs.next(ownerOf(id)) !== null,
      isValid,
      nowMs: clock.now(),
    };
  }
}
