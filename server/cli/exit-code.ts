/** How the command line ends; scripts rely on these. */
import { type ErrorCode, errorTraits } from '../../shared/schema/errors.ts';
import { AppError, systemCode } from '../lib/app-error.ts';
import { ConfigError } from '../lib/config/config.ts';
import { isStorageCode } from '../lib/files/storage-error.ts';

export const ExitCode = {
  ok: 0,
  failed: 1,
  usage: 2,
  notRunning: 3,
  notFound: 4,
  /** How `task wait` ends when the task is not completed. */
  taskFailed: 10,
  taskExhausted: 11,
  taskStopped: 12,
  personNeeded: 13,
  /** The four below are those of sysexits.h. */
  portInUse: 73,
  /** The disk or the files of the home do not allow it. */
  storage: 74,
  alreadyRunning: 75,
  config: 78,
  /** 128 + SIGPIPE, as a shell reports other tools whose reader has closed. */
  outputClosed: 141,
} as const;

/** Ends a command with a message for a person and a code for a script. */
export class CliError extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** What a script can distinguish; every other refusal of the daemon is `failed`. */
const BY_ERROR: Partial<Record<ErrorCode, number>> = {
  invalid_body: ExitCode.usage,
  invalid_query: ExitCode.usage,
  shutting_down: ExitCode.notRunning,
  cwd_missing: ExitCode.notFound,
  project_missing: ExitCode.notFound,
  branch_missing: ExitCode.notFound,
  dependency_unknown: ExitCode.notFound,
  storage_busy: ExitCode.storage,
  storage_failed: ExitCode.storage,
  storage_full: ExitCode.storage,
  // The token comes from LOOPWATCH_TOKEN or from the home.
  unauthorized: ExitCode.config,
  too_many_attempts: ExitCode.config,
};

export function exitCodeFor(code: ErrorCode): number {
  const fallback = errorTraits(code).status === 404 ? ExitCode.notFound : ExitCode.failed;
  return BY_ERROR[code] ?? fallback;
}

/** For anything that ends a command. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CliError) return error.exitCode;
  if (error instanceof ConfigError) return ExitCode.config;
  if (error instanceof AppError && error.code.startsWith('storage_')) return ExitCode.storage;
  const code = systemCode(error) ?? '';
  if (code === 'ENOENT' || code === 'ENOTDIR') return ExitCode.notFound;
  return isStorageCode(code) ? ExitCode.storage : ExitCode.failed;
}
