/** Tasks and runs: they share worktrees, conversations and the places for work. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endLeftovers } from '../agents/headless/end-turn.ts';
import { TURN_VARIABLE } from '../agents/headless/turn-processes.ts';
import type { Attention } from '../attention/attention.ts';
import type { Budgets } from '../budgets/budgets.ts';
import type { ClaimPort } from '../claims/claim-port.ts';
import { WorkClaims } from '../claims/work-claims.ts';
import type { RestoreMark } from '../db/meta-store.ts';
import type { Clock } from '../lib/clock.ts';
import type { Config } from '../lib/config/config.ts';
import type { Scope } from '../lib/scope.ts';
import { ProjectSetups } from '../projects/project-setups.ts';
import { Dispatcher } from '../supervision/dispatcher.ts';
import { WorkPlaces } from '../supervision/work-places.ts';
import type { QuotaGate } from '../supervision/quota-gate.ts';
import { CHECKS } from '../tasks/executor/task-checks.ts';
import { InteractionStore } from '../turns/interaction-store.ts';
import { TurnInputStore } from '../turns/turn-input-store.ts';
import type { UsageLedger } from '../usage/usage-ledger.ts';
import type { Git } from '../worktrees/git/git.ts';
import { WorktreeStore } from '../worktrees/worktree-store.ts';
import { Worktrees } from '../worktrees/worktrees.ts';
import type { Headless } from './open-headless.ts';
import { openRuns } from './open-runs.ts';
import type { Store } from './open-store.ts';
import { openTasks } from './open-tasks.ts';

const LEFTOVER_GRACE_MS = 5_000;

interface Surroundings {
  attention: Attention;
  clock: Clock;
  /** Environment of agents and checks. */
  environment: NodeJS.ProcessEnv;
  quota: QuotaGate;
  git: Git;
  usage: UsageLedger;
  budgets: Budgets;
  claims: ClaimPort | null;
  /** Set when the database came from a backup. */
  restored: RestoreMark | null;
}

export async function openHeadlessWork(
  config: Readonly<Config>,
  store: Store,
  { git, claims: port, ...surroundings }: Surroundings & Headless,
  scope: Scope,
) {
  const { logger, database, log } = store;
  const { clock, scratch } = surroundings;
  const setups = new ProjectSetups({
    database,
    log,
    clock,
    rootOf: async (path) => (await worktrees.repositoryOf(path))?.root ?? null,
  });
  const worktrees: Worktrees = new Worktrees({
    log,
    clock,
    logger,
    roots: config.roots,
    scratch: join(config.home, 'checkouts'),
    git,
    store: new WorktreeStore(database),
    setupOf: (repository) => setups.of(repository),
    environment: surroundings.environment,
    markName: TURN_VARIABLE,
  });
  await worktrees.recover();
  const dispatcher = new Dispatcher({ slots: config.taskSlots, clock });
  scope.own(() => dispatcher.dispose());
  const changed = () => dispatcher.schedule();
  const claims = port === null ? null : new WorkClaims({ port, worktrees, clock, logger, changed });
  const shared = {
    ...surroundings,
    claims,
    worktrees,
    dispatcher,
    places: new WorkPlaces(),
    interactions: new InteractionStore(database),
    inputs: new TurnInputStore(database),
  };
  const tasks = openTasks(config, store, shared, scope);
  const runs = openRuns(config, store, shared, scope);
  scope.own(() => claims?.dispose());
  claims?.open();
  for (const turn of readdirSync(scratch)) {
    if (turn === CHECKS || tasks.turns.has(turn) || runs.turns.has(turn)) continue;
    // No process of a turn without a record may survive.
    await endLeftovers(turn, LEFTOVER_GRACE_MS, clock);
    rmSync(join(scratch, turn), { recursive: true, force: true });
  }
  return { tasks: { ...tasks, worktrees, setups }, phased: runs, dispatcher };
}
