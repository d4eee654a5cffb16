/** People's operations on runs: start, stop, delete, clean up. */
import { cleanUp } from '../checkpoints/clean-up.ts';
import { deleteSession } from '../checkpoints/delete-session.ts';
import type { z } from 'zod';
import { runTitle } from '../../shared/rules/work/run-title.ts';
import type { RUN_ENDPOINTS } from '../../shared/endpoints/work/run-endpoints.ts';
import type { CleanupRuns, StartRun } from '../../shared/schema/runs/run-requests.ts';
import type { Attention } from '../attention/attention.ts';
import type { EventLog } from '../events/event-log.ts';
import { AppError, messageOf } from '../lib/app-error.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import { untilStored } from '../lib/until-stored.ts';
import type { WorkPlaces } from '../supervision/work-places.ts';
import type { InteractionStore } from '../turns/interaction-store.ts';
import type { TurnInputStore } from '../turns/turn-input-store.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';
import type { RunSupervisor } from './executor/run-supervisor.ts';
import { worktreeRequests } from './executor/work-place.ts';
import { freshRun } from './machine/fresh-run.ts';
import { newRunId, planRun, type PlanRunOptions, requireOwnPlace } from './plan-run.ts';
import type { RunScheduler } from './run-scheduler.ts';
import type { StoredList } from './stored-list.ts';
import type { RunCheckStore } from './stores/run-check-store.ts';
import { hasWorktree, ownerOf, type RunRecord } from './stores/run-record.ts';
import type { RunStore } from './stores/run-store.ts';

const MINUTE_MS = 60_000;

export interface RunsOptions extends PlanRunOptions {
  board: RunScheduler;
  places: WorkPlaces;
  store: RunStore;
  checks: RunCheckStore;
  interactions: InteractionStore;
  inputs: TurnInputStore;
  worktrees: Worktrees;
  attention: Attention;
  log: EventLog;
  clock: Clock;
  home: string;
  list: StoredList;
}

type Cleaned = z.infer<(typeof RUN_ENDPOINTS)['cleanUpRuns']['responses'][200]>;

export class Runs {
  readonly #options: RunsOptions;

  constructor(options: RunsOptions) {
    this.#options = options;
  }

  /** Stores a run and creates its worktree; if that cannot be created, nothing is left of it. */
  async start(body: StartRun, author: string): Promise<{ run: RunSupervisor; seq: number }> {
    const { board, places, worktrees, log, store, clock } = this.#options;
    const request = await planRun(body, board.records(), this.#options);
    // Another run in that directory may have begun while git ran.
    requireOwnPlace(request, board.records());
    if (!hasWorktree(request)) places.requireFree(request.directory, 'run');
    const nowMs = clock.now();
    const at = toIso(nowMs);
    const record: RunRecord = {
      id: newRunId(nowMs),
      request,
      state: freshRun(nowMs),
      agentPlan: null,
      acceptedPlan: null,
      createdBy: author,
      createdAt: at,
      updatedAt: at,
    };
    const { id } = record;
    const [wanted] = worktreeRequests(record);
    const seq = log.write((append) => {
      store.insert(record);
      const place = { working_dir: request.directory, branch: wanted?.branch ?? null };
      append({
        type: 'run.created',
        data: { run: id, title: runTitle(body.prompt), ...place, author },
      });
      const phase = { phase: 'plan' as const, before: null, iteration: 0 };
      return append({ type: 'run.phase', data: { run: id, ...phase } });
    });
    const run = board.add(record);
    await run.alone(async () => {
      try {
        await worktrees.create(ownerOf(id), id, worktreeRequests(record));
      } catch (error) {
        await untilStored(() => this.#forget(id, [], author), clock);
        throw error;
      }
    });
    run.begin();
    return { run, seq };
  }

  /** Throws `wrong_run_status` when it is over. */
  stop(id: string, reason: string | null, author: string): { run: RunSupervisor; seq: number } {
    const run = this.#options.board.byId(id);
    const { stage } = run.record.state.now;
    if (stage === 'over') {
      throw new AppError('wrong_run_status', `run ${id} is over; there is nothing to stop`);
    }
    if (stage === 'ending') return { run, seq: this.#options.log.head };
    return { run, seq: run.apply({ kind: 'stop', author, reason }) };
  }

  /** Its branch keeps its work. Throws `wrong_run_status` unless it is over. */
  async remove(id: string, cleanUpWorktree: boolean, author: string) {
    const { board, worktrees, home, list } = this.#options;
    const run = board.find(id);
    if (run === null) {
      deleteSession(home, id);
      list.forget();
      return { kept: [], seq: this.#options.log.head };
    }
    const requireOver = () => {
      if (run.record.state.now.stage === 'over') return;
      throw new AppError('wrong_run_status', `run ${id} is not over; stop it first`);
    };
    requireOver();
    return run.alone(async () => {
      board.byId(id);
      // It waited for a merge, and may have been resumed meanwhile.
      requireOver();
      const owner = ownerOf(id);
      const kept = cleanUpWorktree ? await worktrees.remove(owner, id) : [];
      if (!cleanUpWorktree) worktrees.release(owner);
      return { kept, seq: this.#forget(id, kept, author) };
    });
  }

  async cleanUp(body: CleanupRuns, author: string): Promise<Cleaned> {
    const { home, clock, board } = this.#options;
    const { dry_run, include_stopped, older_than_hours, ...kinds } = body;
    const options = {
      ...kinds,
      includeStopped: include_stopped,
      ...(older_than_hours === null || older_than_hours === undefined
        ? {}
        : { olderThanMs: older_than_hours * 60 * MINUTE_MS }),
    };
    const plan = await cleanUp(home, { ...options, dryRun: true }, clock.now());
    const removed: Cleaned['removed'] = [];
    const kept: Cleaned['kept'] = [];
    for (const { id, why } of plan.removed) {
      const run = board.find(id);
      if (run !== null && run.record.state.now.stage !== 'over') continue;
      try {
        if (!dry_run) await this.remove(id, true, author);
        removed.push({ id, why });
      } catch (error) {
        kept.push({ id, why: messageOf(error) });
      }
    }
    return { dry_run, removed, kept };
  }

  #forget(id: string, kept: string[], author: string): number {
    const { log, store, checks, interactions, inputs, board, attention, home } = this.#options;
    const owner = ownerOf(id);
    const seqs: number[] = [];
    log.write((append) => {
      store.remove(id);
      checks.removeOf(id);
      interactions.removeOf(owner);
      inputs.removeOf(owner);
      seqs.push(append({ type: 'run.deleted', data: { run: id, kept, author } }));
    });
    board.drop(id);
    attention.close({ kind: 'run', id });
    try {
      deleteSession(home, id);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'run_unknown')) throw error;
    } finally {
      this.#options.list.forget();
    }
    return seqs[0] ?? log.head;
  }
}
