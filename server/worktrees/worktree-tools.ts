import type { EventLog } from '../events/event-log.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Git } from './git.ts';
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
}
