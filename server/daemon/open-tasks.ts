/** Tasks, built bottom up on the other services; what an earlier daemon left is recovered. */
import type { Dispatcher } from '../supervision/dispatcher.ts';
import type { WorkPlaces } from '../supervision/work-places.ts';
import type { QuotaGate } from '../supervision/quota-gate.ts';
import type { Attention } from '../attention/attention.ts';
import type { Budgets } from '../budgets/budgets.ts';
import type { WorkClaims } from '../claims/work-claims.ts';
import type { RestoreMark } from '../db/meta-store.ts';
import type { Clock } from '../lib/clock.ts';
import type { Config } from '../lib/config/config.ts';
import type { Scope } from '../lib/scope.ts';
import type { InteractionStore } from '../turns/interaction-store.ts';
import { ProjectStore } from '../projects/project-store.ts';
import { Projects } from '../projects/projects.ts';
import { PromptStore } from '../prompts/prompt-store.ts';
import { Prompts } from '../prompts/prompts.ts';
import { TaskMerges } from '../tasks/task-merges.ts';
import { TaskScheduler } from '../tasks/task-scheduler.ts';
import type { TurnInputStore } from '../turns/turn-input-store.ts';
import { TaskStore } from '../tasks/stores/task-store.ts';
import { TaskRequestStore } from '../tasks/stores/task-request-store.ts';
import { TaskConversation } from '../tasks/task-conversation.ts';
import { TaskCreation } from '../tasks/task-creation.ts';
import { TaskWork } from '../tasks/task-work.ts';
import { Tasks } from '../tasks/tasks.ts';
import { TestCaseStore } from '../tasks/stores/test-case-store.ts';
import type { UsageLedger } from '../usage/usage-ledger.ts';
import { KnownRepositories } from '../worktrees/known-repositories.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';
import type { Headless } from './open-headless.ts';
import type { Store } from './open-store.ts';

interface Surroundings {
  attention: Attention;
  clock: Clock;
  /** Environment of agents and tests. */
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
export function openTasks(
  config: Readonly<Config>,
  { logger, database, log }: Store,
  {
    attention,
    clock,
    environment,
    quota,
    dispatcher,
    places,
    restored,
    usage,
    budgets,
    claims,
    worktrees,
    interactions,
    inputs,
    ...headless
  }: Surroundings & Headless,
  scope: Scope,
) {
  const { conversations, scratch } = headless;
  const stores = {
    store: new TaskStore(database),
    interactions,
    inputs,
    testCases: new TestCaseStore(database),
  };
  const scheduler = new TaskScheduler({
    ...stores,
    log,
    clock,
    logger,
    conversations,
    worktrees,
    attention,
    scratch,
    environment,
    policy: {
      errorDelaysMs: config.errorDelaysMs,
      quotaDelaysMs: config.quotaDelaysMs,
      interrupted: config.taskInterrupted,
      noProgressTurns: config.taskNoProgressTurns,
      context: config.contextLimits,
    },
    testTimeoutMs: config.taskTestTimeoutMs,
    dispatcher,
    places,
    quota,
    usage,
    budgets,
    claims,
  });
  const work = new TaskWork({ ...stores, scheduler, log, worktrees, attention });
  const merges = new TaskMerges({
    scheduler,
    worktrees,
    log,
    clock,
    environment,
    testTimeoutMs: config.taskTestTimeoutMs,
  });
  const talk = new TaskConversation({ ...stores, scheduler, log, clock });
  const { roots } = config;
  const projectStore = new ProjectStore(database);
  const projects = new Projects({ store: projectStore, log, clock, roots });
  const repositories = new KnownRepositories({
    clock,
    logger,
    roots,
    projects: (limit) => projectStore.paths(limit),
    repositoryOf: async (path) => worktrees.repositoryOf(path),
  });
  scope.own(() => repositories.dispose());
  const creation = new TaskCreation({
    ...stores,
    scheduler,
    places,
    requests: new TaskRequestStore(database),
    projects,
    log,
    clock,
    worktrees,
    roots,
    defaultProject: config.defaultProject,
    defaultPermissions: config.taskPermissions,
    findRepository: async (key) => repositories.pathOf(key),
  });
  const tasks = new Tasks({ scheduler, places, creation, work, talk, log, worktrees, roots });
  const prompts = new Prompts({ store: new PromptStore(database), log, clock });
  scope.own(() => scheduler.dispose());
  const turns = scheduler.open({ isRestored: restored !== null });
  return { scheduler, tasks, creation, repositories, talk, work, merges, prompts, projects, turns };
}
