/** The daemon in this process. */
import { createDaemon, type Daemon } from '../daemon/daemon.ts';
import { DatabaseError } from '../db/database.ts';
import { HomeLockedError } from '../db/home.ts';
import { AppError, messageOf, systemCode } from '../lib/app-error.ts';
import { type Config, ConfigError, readConfig } from '../lib/config/config.ts';
import { isDamageCode, isStorageCode } from '../lib/files/storage-error.ts';
import { findDaemon } from './client.ts';
import { CliError, ExitCode } from './exit-code.ts';
import { ownCommand } from './own-command.ts';
import { portOwner } from './port-owner.ts';
import { print, runOnWithoutReader } from './print/print.ts';

/** What a daemon may take to end before it is ended. */
const SHUTDOWN_LIMIT_MS = 5_000;

/** Starts the daemon and says where; throws a CliError that names what is in the way. */
export async function startDaemon(): Promise<Daemon> {
  runOnWithoutReader();
  const config = readConfig();
  let daemon: Daemon;
  try {
    daemon = await createDaemon(config);
  } catch (error) {
    throw startError(error, config);
  }
  print(`loopwatch listening on ${daemon.url}`);
  if (process.stdout.isTTY) print(`log in: ${daemon.loginLink()}`);
  return daemon;
}

/** Waits for SIGTERM or SIGINT; a second one ends the process at once. */
export async function signalled(): Promise<void> {
  await new Promise<void>((resolve) => {
    let isFirst = true;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      // One listener for good: between two of them a signal would end the process on its own.
      process.on(signal, () => {
        if (!isFirst) process.exit(ExitCode.failed);
        isFirst = false;
        resolve();
      });
    }
  });
}

/**
 * `loopwatch start`: runs the daemon until a signal or a Shutdown, then closes it within its limit.
 */
export async function runDaemon(): Promise<void> {
  // Before the daemon says that it is up: who reads that may signal at once.
  const ended = signalled();
  const daemon = await startDaemon();
  const failure = await Promise.race([
    ended,
    daemon.shutdownRequested,
    daemon.homeRemoved.then(homeRemoved),
    daemon.eventsDamaged.then(({ message }) => new CliError(ExitCode.config, message)),
  ]);
  setTimeout(() => process.exit(ExitCode.failed), SHUTDOWN_LIMIT_MS).unref();
  await daemon.close();
  if (failure instanceof CliError) throw failure;
}

function homeRemoved(): CliError {
  return new CliError(
    ExitCode.storage,
    'LOOPWATCH_HOME was removed or replaced while the daemon was running; the daemon stopped, sessions and ' +
      `agents keep running. Restore the directory, then run: ${ownCommand('start')}`,
  );
}

function ownerOf(port: number): string {
  const owner = portOwner(port);
  if (owner === null) return 'another program';
  const { pid, program, isOurs } = owner;
  return isOurs ? `another Loopwatch daemon (pid ${pid})` : `${program} (pid ${pid})`;
}

/** What keeps a daemon from starting, with its exit code and the next step. */
export function startError(error: unknown, { home, host, port }: Readonly<Config>): CliError {
  if (error instanceof HomeLockedError) {
    const other = findDaemon();
    const where = other === null ? '' : ` (pid ${other.pid}, ${other.url})`;
    return new CliError(
      ExitCode.alreadyRunning,
      `${error.message}${where}; stop it with: ${ownCommand('stop')}`,
    );
  }
  const code = error instanceof AppError ? error.code : (systemCode(error) ?? '');
  if (code === 'EADDRINUSE') {
    const message = `${host}:${port} is in use by ${ownerOf(port)}; choose another with PORT=… or PORT=0`;
    return new CliError(ExitCode.portInUse, message);
  }
  if (error instanceof ConfigError || error instanceof DatabaseError) {
    return new CliError(ExitCode.config, error.message);
  }
  if (code.startsWith('storage_')) return new CliError(ExitCode.storage, messageOf(error));
  if (isDamageCode(code)) {
    const message = `the database of LOOPWATCH_HOME=${home} is damaged (${messageOf(error)}); restore a backup with: ${ownCommand('restore FILE')}`;
    return new CliError(ExitCode.config, message);
  }
  if (isStorageCode(code)) {
    const message = `LOOPWATCH_HOME=${home} is not writable (${code}): free or repair its disk, or set LOOPWATCH_HOME to a writable directory`;
    return new CliError(ExitCode.storage, message);
  }
  return new CliError(ExitCode.failed, `the daemon could not start: ${messageOf(error)}`);
}
