/** Headless conversations, and where each turn of tasks and each check keeps its files. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { endOldChecks, type ModelOptions } from '../agents/headless/ask-model.ts';
import { Conversations } from '../agents/headless/conversations.ts';
import type { Clock } from '../lib/clock.ts';
import type { Config } from '../lib/config/config.ts';
import type { Scope } from '../lib/scope.ts';
import { CHECKS } from '../tasks/executor/task-checks.ts';
import type { Store } from './open-store.ts';

export interface Headless {
  conversations: Conversations;
  /** A directory for each turn of a task. */
  scratch: string;
  /** For one question to a model. */
  models: ModelOptions;
}

export async function openHeadless(
  config: Readonly<Config>,
  { logger }: Store,
  { clock, environment }: { clock: Clock; environment: NodeJS.ProcessEnv },
  scope: Scope,
): Promise<Headless> {
  const scratch = join(config.home, 'turns');
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const conversations = new Conversations({
    command: [config.agentProgram],
    environment,
    clock,
    logger,
    pollMs: config.signalPollMs,
  });
  scope.own(() => conversations.dispose());
  const models = { conversations, clock, scratchDirectory: join(scratch, CHECKS) };
  await endOldChecks(models);
  return { conversations, scratch, models };
}
