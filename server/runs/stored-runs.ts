/** Runs that are over, or that were stored elsewhere: listed and resumed. */
import { laterFirst } from '../checkpoints/list-checkpoints.ts';
import { loadCheckpoint } from '../checkpoints/load-checkpoint.ts';
import { isRunMark } from '../../shared/rules/work/is-run-mark.ts';
import type { RunPhase, WorkPhase } from '../../shared/schema/runs/run-phase.ts';
import type { Run, RunProblem, RunSummary } from '../../shared/schema/runs/run.ts';
import type { ResumeRun, StartRun } from '../../shared/schema/runs/run-requests.ts';
import type { EventLog } from '../events/event-log.ts';
import { AppError } from '../lib/app-error.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import { requireProject } from '../projects/require-project.ts';
import type { WorkPlaces } from '../supervision/work-places.ts';
import type { InteractionStore } from '../turns/interaction-store.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';
import { adoptedRun, deliverAgain } from './adopt-checkpoint.ts';
import type { RunSupervisor } from './executor/run-supervisor.ts';
import { reachedLimit, totalSpent } from './machine/ending.ts';
import { perPhase } from './machine/fresh-run.ts';
import { requireOwnPlace } from './plan-run.ts';
import type { RunScheduler } from './run-scheduler.ts';
import { isStaleRun } from './run-view.ts';
import type { StoredList } from './stored-list.ts';
import { storedRun } from './stored-run.ts';
import { hasWorktree, type RunRecord } from './stores/run-record.ts';
import type { RunStore } from './stores/run-store.ts';

const MINUTE_MS = 60_000;

export interface StoredRunsOptions {
  board: RunScheduler;
  places: WorkPlaces;
  store: RunStore;
  interactions: InteractionStore;
  worktrees: Pick<Worktrees, 'repositoryOf'>;
  log: EventLog;
  clock: Clock;
  list: StoredList;
  home: string;
  roots: readonly string[];
}

export class StoredRuns {
  readonly #options: StoredRunsOptions;
  readonly #list: StoredList;

  constructor(options: StoredRunsOptions) {
    this.#options = options;
    this.#list = options.list;
  }

  /** Those of this daemon, then stored ones that it has no row of; newest first. */
  async list(): Promise<{ runs: RunSummary[]; problems: RunProblem[] }> {
    const stored = await this.#list.read();
    const runs = this.#options.board.summaries();
    const known = new Set(runs.map(({ id }) => id));
    const foreign = stored.runs.filter(({ id }) => !known.has(id));
    const all = [...runs, ...foreign];
    return {
      runs: all.sort((one, other) => laterFirst(one.started_at, other.started_at)),
      // Of a run with a row, the row says whether it is stale or without its directory.
      problems: stored.problems.filter((problem) => !known.has(problem.id) || !isRunMark(problem)),
    };
  }

  /** A stored one without a row is shown as it would be resumed. Throws what reading it throws. */
  get(id: string): Run {
    const { board, home, clock } = this.#options;
    const run = board.find(id);
    if (run !== null) return board.view(run);
    return storedRun(home, id, clock.now());
  }

  /**
   * Resumes a run of this daemon, or adopts a stored one. Throws `run_unknown`, `wrong_run_status`,
   * `run_stale`, `run_directory_missing`, and what reading a checkpoint throws.
   */
  async resume(
    id: string,
    body: ResumeRun,
    author: string,
  ): Promise<{ run: RunSupervisor; seq: number }> {
    const { board, clock } = this.#options;
    const found = board.find(id);
    const { run, redelivered } =
      found === null
        ? await this.#adopt(id, body.force)
        : { run: found, redelivered: perPhase(() => 0) };
    const { state } = run.record;
    if (state.now.stage !== 'over') {
      throw new AppError('wrong_run_status', `run ${id} is not over; it needs no resume`);
    }
    const fromPhase = body.from_phase ?? null;
    if (state.now.result.status === 'done' && fromPhase === null) {
      const next = 'name a phase to begin at with --from-phase, or start a new run';
      throw new AppError('wrong_run_status', `run ${id} is complete; ${next}`);
    }
    if (isStaleRun(run.record, clock.now()) && !body.force && found !== null) throw stale(id);
    if (!board.view(run).valid) throw directoryMissing(run.record.request.directory);
    requireOwnPlace(
      run.record.request,
      board.records().filter((other) => other.id !== id),
    );
    const { request } = run.record;
    if (!hasWorktree(request)) this.#options.places.requireFree(request.directory, 'run');
    this.#raise(run, body, fromPhase);
    return { run, seq: run.apply({ kind: 'resume', author, fromPhase, redelivered }) };
  }

  /** A stored session that no row belongs to becomes a run of this daemon. */
  async #adopt(
    id: string,
    force: boolean,
  ): Promise<{ run: RunSupervisor; redelivered: Record<WorkPhase, number> }> {
    const { home, clock, roots, worktrees, log, store, interactions, board } = this.#options;
    const checkpoint = loadCheckpoint(home, id);
    const nowMs = clock.now();
    const at = toIso(nowMs);
    const isOld = nowMs - Date.parse(checkpoint.checkpoint_time) > 24 * 60 * MINUTE_MS;
    if (isOld && checkpoint.phase !== 'complete' && !force) throw stale(id);
    const directory = workingDirectory(checkpoint.working_dir, roots);
    const repository = await worktrees.repositoryOf(directory);
    const place = {
      directory: repository?.root ?? directory,
      isRepository: repository !== null,
    };
    const { record, redelivered } = adoptedRun(checkpoint, place, { home, at });
    const known = board.find(id);
    if (known !== null) return { run: known, redelivered: perPhase(() => 0) };
    log.write((append) => {
      store.insert(record);
      deliverAgain(checkpoint, { interactions, append, at });
    });
    return { run: board.add(record), redelivered };
  }

  /** Limits that ended it are raised by what a person adds; one that is still reached is named. */
  #raise(run: RunSupervisor, body: ResumeRun, fromPhase: WorkPhase | null): void {
    const { request, state, id } = run.record;
    const spent = totalSpent(state);
    const phase = fromPhase ?? state.phase;
    const added = {
      ...(body.add_minutes == null
        ? {}
        : { max_minutes: Math.ceil(state.activeMs / MINUTE_MS) + body.add_minutes }),
      ...(body.add_cost_usd == null ? {} : { max_cost_usd: spent.costUsd + body.add_cost_usd }),
      ...(body.add_tokens == null ? {} : { max_tokens: spent.outputTokens + body.add_tokens }),
    };
    const options = { ...request.options, ...added, phases: raisedPhase(run.record, phase, body) };
    const limit = reachedLimit({ ...state, phase }, options);
    if (limit !== null) {
      const next = 'add minutes, cost or tokens to resume it';
      throw new AppError('wrong_run_status', `run ${id} reached its limit (${limit}); ${next}`);
    }
    if (Object.keys(added).length === 0) return;
    run.change({ request: { ...request, options } }, () => undefined);
  }
}

/** The phase it continues in may have limits of its own: what is added is added to them too. */
function raisedPhase(run: RunRecord, phase: RunPhase, added: ResumeRun): StartRun['phases'] {
  const { add_minutes, add_cost_usd } = added;
  const { phases } = run.request.options;
  const own = phase === 'complete' ? undefined : phases[phase];
  if (phase === 'complete' || own === undefined) return phases;
  const { activeMs, costUsd } = run.state.spent[phase];
  const raised = { ...own };
  if (own.max_minutes != null && add_minutes != null) {
    raised.max_minutes = Math.ceil(activeMs / MINUTE_MS) + add_minutes;
  }
  if (own.max_cost_usd != null && add_cost_usd != null) {
    raised.max_cost_usd = costUsd + add_cost_usd;
  }
  return { ...phases, [phase]: raised };
}

/** The directory of a checkpoint is a claim of a file: it must be below the roots too. */
function workingDirectory(path: string, roots: readonly string[]): string {
  try {
    return requireProject(path, roots);
  } catch (error) {
    if (error instanceof AppError && error.code === 'project_missing') throw directoryMissing(path);
    throw error;
  }
}

function directoryMissing(path: string): AppError {
  return new AppError(
    'run_directory_missing',
    `Working directory not found: ${path}; restore it, or delete the run`,
  );
}

function stale(id: string): AppError {
  return new AppError(
    'run_stale',
    `Session is stale: ${id} was last saved more than 24 hours ago; resume it with --force, or delete it`,
  );
}
