/** What people read of a run and say to it: its plan, its work, its report, their words. */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { RUN_WORK_ENDPOINTS } from '../../shared/endpoints/work/run-work-endpoints.ts';
import type { RunPlan } from '../../shared/schema/runs/run.ts';
import type { WorkDiff } from '../../shared/schema/tasks/project.ts';
import type { EventLog } from '../events/event-log.ts';
import { AppError } from '../lib/app-error.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import type { InteractionStore } from '../turns/interaction-store.ts';
import type { TurnInputStore } from '../turns/turn-input-store.ts';
import type { Worktree, Worktrees } from '../worktrees/worktrees.ts';
import { mergeRun } from './executor/merge-run.ts';
import type { RunSupervisor } from './executor/run-supervisor.ts';
import { planHash, writePlan } from './plan-file.ts';
import { requirePlan, requireReport } from './executor/write-report.ts';
import type { RunScheduler } from './run-scheduler.ts';
import type { RunCheckStore } from './stores/run-check-store.ts';
import { ownerOf, type RunRecord } from './stores/run-record.ts';
import { storedRecord } from './stored-run.ts';

const EVENT_PREVIEW = 300;

export interface RunWorkOptions {
  board: RunScheduler;
  checks: RunCheckStore;
  interactions: InteractionStore;
  inputs: TurnInputStore;
  worktrees: Worktrees;
  log: EventLog;
  clock: Clock;
  home: string;
  environment: NodeJS.ProcessEnv;
  testTimeoutMs: number;
}

type Answer<Name extends keyof typeof RUN_WORK_ENDPOINTS> = z.infer<
  (typeof RUN_WORK_ENDPOINTS)[Name]['responses'] extends { 200: infer Body extends z.ZodType }
    ? Body
    : never
>;
type PageQuery = z.output<(typeof RUN_WORK_ENDPOINTS)['getRunInteractions']['query']>;

export class RunWork {
  readonly #options: RunWorkOptions;

  constructor(options: RunWorkOptions) {
    this.#options = options;
  }

  /** Queues a person's words; they are stored before this returns. */
  say(id: string, { input, interrupt }: { input: string; interrupt: boolean }, author: string) {
    const { board, inputs, log, clock } = this.#options;
    const run = board.byId(id);
    const { stage } = run.record.state.now;
    if (stage === 'over' || stage === 'ending' || stage === 'merging') {
      throw new AppError('wrong_run_status', `run ${id} is over; resume it, then send the input`);
    }
    const words = {
      id: randomUUID(),
      taskId: ownerOf(id),
      text: input,
      images: [],
      interrupt,
      author,
    };
    const seq = log.write((append) => {
      inputs.insert(words, toIso(clock.now()));
      const preview = input.slice(0, EVENT_PREVIEW);
      const data = { run: id, id: words.id, preview, author };
      return append({ type: 'run.input_queued', data });
    });
    run.notice({ kind: 'input', interrupt });
    return { id: words.id, seq };
  }

  /** Also of a stored run without a row. Throws `no_plan`, and what reading a checkpoint throws. */
  plan(id: string): RunPlan {
    const { home } = this.#options;
    return requirePlan(home, this.#record(id));
  }

  /** Throws `no_plan`, `wrong_run_status` and `plan_changed`. */
  editPlan(id: string, { text, hash }: { text: string; hash: string }, author: string) {
    const { home, log } = this.#options;
    const { run, agentPlan } = this.#planInReview(id, hash);
    run.change({ acceptedPlan: text }, (append) => {
      const data = { run: id, action: 'edited' as const, hash: planHash(text), author };
      append({ type: 'run.plan', data });
    });
    writePlan(home, id, text, agentPlan);
    return { ...this.plan(id), seq: log.head };
  }

  /** The plan in the file is the one that counts. Throws as `editPlan`. */
  acceptPlan(id: string, hash: string, author: string): { run: RunSupervisor; seq: number } {
    const { run, text } = this.#planInReview(id, hash);
    run.change({ acceptedPlan: text }, (append) => {
      append({ type: 'run.plan', data: { run: id, action: 'accepted', hash, author } });
    });
    return { run, seq: run.apply({ kind: 'plan_accepted', author }) };
  }

  /** A page of what was said, oldest first; without a cursor the newest page. */
  interactions(id: string, { after, before, limit }: PageQuery): Answer<'getRunInteractions'> {
    const { board, interactions } = this.#options;
    const { state } = board.byId(id).record;
    const owner = ownerOf(id);
    const page = interactions.page(owner, { after, before, limit });
    const [first, last] = [page[0], page.at(-1)];
    const isFull = page.length === limit;
    const isForward = after !== undefined;
    return {
      interactions: page.map((entry) => ({
        ...entry,
        phase: state.turns[entry.turn - 1] ?? 'plan',
      })),
      total: interactions.count(owner),
      next: last !== undefined && (isForward ? isFull : before !== undefined) ? last.id : null,
      previous: first !== undefined && (isForward ? after > 0 : isFull) ? first.id : null,
    };
  }

  checks(id: string, iteration: number | undefined): Answer<'getRunChecks'> {
    const { board, checks } = this.#options;
    board.byId(id);
    return { checks: checks.of(id, iteration) };
  }

  /** As a whole, or what one round changed. Throws `no_worktree`. */
  async diff(id: string, iteration: number | undefined): Promise<WorkDiff> {
    const { worktrees, board } = this.#options;
    const own = this.#worktree(id);
    if (iteration === undefined) return worktrees.diff(own);
    const { rounds } = board.byId(id).record.state;
    const index = rounds.findLastIndex((round) => round.iteration === iteration);
    const to = rounds[index]?.commit ?? null;
    const earlier = rounds.slice(0, index).findLast((round) => round.iteration < iteration);
    const from = earlier?.commit ?? own.baseCommit;
    if (to === null) throw new AppError('no_worktree', `run ${id} has no round ${iteration} yet`);
    return worktrees.diffBetween(own, from, to);
  }

  /** Also of a stored run without a row. Throws `no_report`, and what reading a checkpoint throws. */
  report(id: string): { text: string; path: string } {
    const { home } = this.#options;
    this.#record(id);
    return requireReport(home, id);
  }

  /**
   * Merges the work into a local branch once the run's checks pass on the merged result. Throws
   * `wrong_run_status`, `no_worktree`, `merge_conflict`, `merge_refused` and `branch_in_use`.
   */
  async merge(id: string, into: string, squash: boolean, author: string) {
    const { board } = this.#options;
    const run = board.byId(id);
    requireOver(run.record);
    return run.alone(async () => {
      // It waited for another merge, and may have been resumed or deleted meanwhile.
      requireOver(board.byId(id).record);
      const options = { ...this.#options, record: () => run.record };
      const merge = { into, squash, needsProof: false };
      const commit = await mergeRun(options, merge, new AbortController().signal);
      return { run, commit, seq: run.apply({ kind: 'merged', into, commit, author }) };
    });
  }

  /** The plan that waits for a person, as it is in its file. */
  #planInReview(id: string, hash: string) {
    const run = this.#options.board.byId(id);
    const plan = this.plan(id);
    if (!plan.awaits_review) {
      throw new AppError('wrong_run_status', `the plan of run ${id} does not wait for review`);
    }
    if (plan.hash !== hash) {
      throw new AppError('plan_changed', 'the plan changed since; read it again');
    }
    return { run, text: plan.text, agentPlan: plan.agent_text };
  }

  #record(id: string): RunRecord {
    const { board, home } = this.#options;
    return board.find(id)?.record ?? storedRecord(home, id);
  }

  #worktree(id: string): Worktree {
    const [own] = this.#options.worktrees.of(ownerOf(this.#options.board.byId(id).record.id));
    if (own !== undefined) return own;
    throw new AppError('no_worktree', `run ${id} has no worktree of its own`);
  }
}

function requireOver({ id, state }: RunRecord): void {
  if (state.now.stage === 'over') return;
  throw new AppError('wrong_run_status', `run ${id} is not over; stop it before the merge`);
}
