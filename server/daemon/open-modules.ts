/** Task modules below the roots, connected to the loops that work on them. */
import type { AutoLoops } from '../auto/auto-loops.ts';
import { isStartable } from '../auto/directory/task-directory.ts';
import type { Clock } from '../lib/clock.ts';
import type { Config } from '../lib/config/config.ts';
import { realDirectory } from '../lib/files/real-directory.ts';
import type { Scope } from '../lib/scope.ts';
import { Modules } from '../modules/modules.ts';
import { mainWorktreePath } from '../worktrees/git/main-worktree.ts';
import type { Store } from './open-store.ts';

interface Surroundings {
  clock: Clock;
  /** Of the terminals. */
  environment: NodeJS.ProcessEnv;
  loops: Pick<AutoLoops, 'list' | 'states'>;
}

/** The first scan of the roots continues after this returned. */
export function openModules(
  { home, roots, signalPollMs }: Readonly<Config>,
  { log, logger }: Pick<Store, 'log' | 'logger'>,
  { clock, environment, loops }: Surroundings,
  scope: Scope,
): Modules {
  const modules = new Modules({
    log,
    logger,
    clock,
    environment,
    roots,
    home: realDirectory(home)?.path ?? null,
    pollMs: signalPollMs,
    isWorktree: (directory) => mainWorktreePath(directory) !== null,
    isStartable,
    loops: () => loops.list(),
    inUse: () => loops.states().map(({ taskDir }) => taskDir),
  });
  scope.own(async () => modules.dispose());
  modules.start().catch((err: unknown) => logger.error({ err }, 'cannot look for task modules'));
  return modules;
}
