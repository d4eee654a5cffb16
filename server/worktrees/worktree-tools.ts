import type { ProjectSetup } from '../../shared/schema/tasks/project-setup.ts';
import type { EventLog } from '../events/event-log.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Git } from './git/git.ts';
import type { WorktreeStore } from './worktree-store.ts';

/** Dependencies of everything here. */
export interface WorktreeTools {
  git: Git;
  store: WorktreeStore;
  log: EventLog;
  clock: Clock;
  logger: Log;
  /** Repositories must be below one of these; null: anywhere. */
  roots: readonly string[] | null;
  /** The daemon's own directory for temporary files. */
  scratch: string;
  /** What new worktrees of a repository get, by the real path of its main worktree. */
  setupOf: (repository: string) => ProjectSetup | null;
  /** For the commands of a setup. */
  environment: NodeJS.ProcessEnv;
  /** The variable by which everything they start is found again. */
  markName: string;
}
