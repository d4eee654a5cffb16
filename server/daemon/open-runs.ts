/** Phased runs, built on the other services; what an earlier daemon left is recovered. */
import type { Attention } from '../attention/attention.ts';
import type { Budgets } from '../budgets/budgets.ts';
import type { WorkClaims } from '../claims/work-claims.ts';
import type { RestoreMark } from '../db/meta-store.ts';
import type { Clock } from '../lib/clock.ts';
import type { Config } from '../lib/config/config.ts';
import type { Scope } from '../lib/scope.ts';
import { RunScheduler } from '../runs/run-scheduler.ts';
import { RunWork } from '../runs/run-work.ts';
import { Runs } from '../runs/runs.ts';
import { StoredList } from '../runs/stored-list.ts';
import { StoredRuns } from '../runs/stored-runs.ts';
import { RunCheckStore } from '../runs/stores/run-check-store.ts';
import { RunStore } from '../runs/stores/run-store.ts';
import type { Dispatcher } from '../supervision/dispatcher.ts';
import type { WorkPlaces } from '../supervision/work-places.ts';
import type { QuotaGate } from '../supervision/quota-gate.ts';
import type { InteractionStore } from '../turns/interaction-store.ts';
import type { TurnInputStore } from '../turns/turn-input-store.ts';
import type { UsageLedger } from '../usage/usage-ledger.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';
import type { Headless } from './open-headless.ts';
import type { Store } from './open-store.ts';

interface Surroundings {
  attention: Attention;
  clock: Clock;
  /** Environment of agents and checks. */
  environment: NodeJS.ProcessEnv;
  quota: QuotaGate;
  dispatcher: Dispatcher;
  places: WorkPlaces;
  worktrees: Worktrees;
  interactions: InteractionStore;
  inputs: TurnInputStore;
  usage: UsageLedger;
  budgets: Budgets;
  claims: WorkClaims | null;
  /** Set when the database came from a backup. */
  restored: RestoreMark | null;
}

/** `turns`: the ids of turns under way. */
export function openRuns(
  config: Readonly<Config>,
  { logger, database, log }: Store,
  { restored, conversations, scratch, ...surroundings }: Surroundings & Headless,
  scope: Scope,
) {
  const shared = {
    ...surroundings,
    store: new RunStore(database),
    checks: new RunCheckStore(database),
    log,
    logger,
    home: config.home,
    testTimeoutMs: config.taskTestTimeoutMs,
  };
  const { errorDelaysMs, quotaDelaysMs, contextLimits: context } = config;
  const policy = { errorDelaysMs, quotaDelaysMs, context };
  const board = new RunScheduler({ ...shared, conversations, scratch, policy });
  const place = {
    roots: config.roots,
    defaultProject: config.defaultProject,
    defaultPermissions: config.taskPermissions,
  };
  const list = new StoredList(shared.home, shared.clock);
  const runs = new Runs({ ...shared, ...place, board, list });
  const stored = new StoredRuns({ ...shared, board, list, roots: config.roots });
  const work = new RunWork({ ...shared, board });
  scope.own(() => board.dispose());
  const turns = board.open({ isRestored: restored !== null });
  return { board, runs, stored, work, turns };
}
