/** Tasks, built bottom up on the other services; what an earlier daemon left is recovered. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endLeftovers } from '../agents/headless/end-turn.ts';
import type { Dispatcher } from '../supervision/dispatcher.ts';
import type { QuotaGate } from '../supervision/quota-gate.ts';
import type { Attention } from '../attention/attention.ts';
import type { RestoreMark } from '../db/meta-store.ts';
import type { Clock } from '../lib/clock.ts';
import type { Config } from '../lib/config.ts';
import type { Scope } from '../lib/scope.ts';
import { CHECKS } from '../tasks/executor/task-checks.ts';
import { InteractionStore } from '../turns/interaction-store.ts';
import { ProjectStore } from '../projects/project-store.ts';
import { Projects } from '../projects/projects.ts';
import { PromptStore } from '../prompts/prompt-store.ts';
import { Prompts } from '../prompts/prompts.ts';
import { TaskBoard } from '../tasks/task-board.ts';
import { TurnInputStore } from '../turns/turn-input-store.ts';
import { TaskStore } from '../tasks/stores/task-store.ts';
import { TaskConversation } from '../tasks/task-conversation.ts';
import { TaskWork } from '../tasks/task-work.ts';
import { Tasks } from '../tasks/tasks.ts';
import { TestCaseStore } from '../tasks/stores/test-case-store.ts';
import type { UsageLedger } from '../usage/usage-ledger.ts';
import type { Git } from '../worktrees/git.ts';
import { WorktreeStore } from '../worktrees/worktree-store.ts';
import { Worktrees } from '../worktrees/worktrees.ts';
import type { Headless } from './open-headless.ts';
import type { Store } from './open-store.ts';

const LEFTOVER_GRACE_MS = 5_000;

interface Surroundings {
  attention: Attention;
  clock: Clock;
  /** Environment of agents and tests. */
  environment: NodeJS.ProcessEnv;
  quota: QuotaGate;
  dispatcher: Dispatcher;
  git: Git;
  usage: UsageLedger;
  /** Set when the database came from a backup. */
  restored: RestoreMark | null;
}

export async function openTasks(
  config: Readonly<Config>,
  { logger, database, log }: Store,
  {
    attention,
    clock,
    environment,
    quota,
    dispatcher,
    restored,
    usage,
    git,
    ...headless
  }: Surroundings & Headless,
  scope: Scope,
) {
  const { conversations, scratch } = headless;
  const worktrees = new Worktrees({
    log,
    clock,
    logger,
    roots: config.roots,
    scratch: join(config.home, 'checkouts'),
    git,
    store: new WorktreeStore(database),
  });
  const stores = {
    store: new TaskStore(database),
    interactions: new InteractionStore(database),
    inputs: new TurnInputStore(database),
    testCases: new TestCaseStore(database),
  };
  const board = new TaskBoard({
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
    },
    testTimeoutMs: config.taskTestTimeoutMs,
    dispatcher,
    quota,
    usage,
  });
  const work = new TaskWork({ ...stores, board, log, worktrees, attention });
  const talk = new TaskConversation({ ...stores, board, log, clock });
  const projects = new Projects({
    store: new ProjectStore(database),
    log,
    clock,
    roots: config.roots,
  });
  const tasks = new Tasks({
    ...stores,
    board,
    work,
    talk,
    projects,
    log,
    clock,
    worktrees,
    roots: config.roots,
    defaultProject: config.defaultProject,
    defaultPermissions: config.taskPermissions,
  });
  const prompts = new Prompts({ store: new PromptStore(database), log, clock });
  await worktrees.recover();
  scope.own(() => board.dispose());
  const turns = board.open({ isRestored: restored !== null });
  for (const turn of readdirSync(scratch)) {
    if (turn === CHECKS || turns.has(turn)) continue;
    // No process of a turn without a record may survive.
    await endLeftovers(turn, LEFTOVER_GRACE_MS, clock);
    rmSync(join(scratch, turn), { recursive: true, force: true });
  }
  return { board, tasks, talk, work, prompts, projects, worktrees };
}
