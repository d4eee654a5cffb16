/** How the command line ends; scripts rely on these. */
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
} as const;

/** Ends a command with a message for a person and a code for a script. */
export class CliError extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}
