/**
 * The checkpoints of phased runs for scripts: `import { openCheckpoints } from
 * 'loopwatch/checkpoints'`. docs/checkpoints.md shows how.
 */
import type { Checkpoint, SessionList } from '../../shared/schema/runs/checkpoint.ts';
import { systemClock } from '../lib/clock.ts';
import { readHome } from '../lib/config/config.ts';
import { isStale, isValid } from './can-resume.ts';
import { deleteSession } from './delete-session.ts';
import { listCheckpoints } from './list-checkpoints.ts';
import { loadCheckpoint } from './load-checkpoint.ts';
import { saveCheckpoint } from './save-checkpoint.ts';
import { checkpointPath, sessionsDirectory } from './session-directory.ts';

export type {
  Checkpoint,
  CheckpointSummary,
  RunEvent,
  RunPhase,
  SessionList,
  SessionProblem,
} from '../../shared/schema/runs/checkpoint.ts';

export interface Checkpoints {
  /** The directory of all sessions. */
  sessionsDir(): string;
  checkpointPath(id: string): string;
  load(id: string): Checkpoint;
  /** Whole and durable, or not at all. Not while a run of it is active: the run saves over it. */
  save(checkpoint: Checkpoint): void;
  /** Newest first, with everything that cannot be read or resumed. */
  list(): Promise<SessionList>;
  /** True when its checkpoint is older than 24 hours. */
  isStale(checkpoint: Pick<Checkpoint, 'checkpoint_time'>): boolean;
  /** False when its working directory does not exist any more. */
  isValid(checkpoint: Pick<Checkpoint, 'working_dir'>): boolean;
  /** Removes the session with everything in its directory. Refused while a live process runs it. */
  delete(id: string): void;
}

/**
 * The checkpoints of a home, by default that of LOOPWATCH_HOME. Its functions throw errors with a
 * `code`: `run_unknown`, `run_busy`, `checkpoint_corrupt`, `checkpoint_version`,
 * `checkpoint_unreadable`, `payload_too_large`, `storage_full`, `storage_failed`.
 */
export function openCheckpoints(home: string = readHome()): Checkpoints {
  return {
    sessionsDir: () => sessionsDirectory(home),
    checkpointPath: (id) => checkpointPath(home, id),
    load: (id) => loadCheckpoint(home, id),
    save: (checkpoint) => saveCheckpoint(home, checkpoint),
    list: async () => listCheckpoints(home, systemClock.now()),
    isStale: (checkpoint) => isStale(checkpoint, systemClock.now()),
    isValid,
    delete: (id) => deleteSession(home, id),
  };
}
