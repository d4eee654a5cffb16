import type { EventLog } from '../events/event-log.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Git } from './git.ts';
import type { WorktreeStore } from './worktree-store.ts';

/** What everything here works with. */
export interface WorktreeTools {
  git: Git;
  store: WorktreeStore;
  log: EventLog;
  clock: Clock;
  logger: Log;
  /** Repositories lie below one of these; null: anywhere. */
  roots: readonly string[] | null;
  /** A directory of the daemon's own for what is temporary. */
  scratch: string;
}
