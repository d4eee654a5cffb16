/** How `loopwatch run …` ends: the exit codes of runs, where they differ from those of other nouns. */
import type { ErrorCode } from '../../../shared/schema/errors.ts';
import { AppError } from '../../lib/app-error.ts';
import { RefusedError } from '../client.ts';
import { CliError, ExitCode, exitCodeOf } from '../exit-code.ts';

export const RunExit = {
  failed: 1,
  usage: 2,
  notFound: 3,
  stale: 4,
  directoryMissing: 5,
  /** The checkpoint or archive is corrupt, of a newer version, or cannot be read. */
  unreadable: 6,
  /** As in sysexits.h: 3 is a run that does not exist. */
  notRunning: 69,
  /** 128 + SIGINT, as a shell reports it. */
  interrupted: 130,
} as const;

/** Ends a command of runs with one of their exit codes. */
export class RunError extends CliError {}

const BY_ERROR: Partial<Record<ErrorCode, number>> = {
  run_unknown: RunExit.notFound,
  run_stale: RunExit.stale,
  run_directory_missing: RunExit.directoryMissing,
  project_missing: RunExit.directoryMissing,
  cwd_missing: RunExit.directoryMissing,
  checkpoint_corrupt: RunExit.unreadable,
  checkpoint_version: RunExit.unreadable,
  checkpoint_unreadable: RunExit.unreadable,
  invalid_archive: RunExit.unreadable,
  storage_busy: ExitCode.storage,
  storage_failed: ExitCode.storage,
  storage_full: ExitCode.storage,
  shutting_down: RunExit.notRunning,
};

/** What other nouns say with a number that means something else here. */
const ALSO: Readonly<Record<number, number>> = {
  [ExitCode.notRunning]: RunExit.notRunning,
  [ExitCode.notFound]: RunExit.notFound,
};

/** For anything that ends a command of runs. */
export function runExitCode(error: unknown): number {
  if (error instanceof RunError) return error.exitCode;
  const code = error instanceof RefusedError || error instanceof AppError ? error.code : null;
  const own = code === null ? undefined : BY_ERROR[code];
  if (own !== undefined) return own;
  const general = exitCodeOf(error);
  return ALSO[general] ?? general;
}
