/** The database of this home into a file, and back; what is in the way is said as an exit code. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Backup, backupDatabase } from '../db/backup-database.ts';
import { DatabaseError } from '../db/database.ts';
import { HomeLockedError, openHome } from '../db/home.ts';
import { type Restore, restoreDatabase } from '../db/restore-database.ts';
import { messageOf, systemCode } from '../lib/app-error.ts';
import { systemClock, toIso } from '../lib/clock.ts';
import { readConfig } from '../lib/config/config.ts';
import { findDaemon } from './client.ts';
import { CliError, ExitCode } from './exit-code.ts';

/** What a system says when there is no room for a file, or none for this user. */
const FULL = ['SQLITE_FULL', 'ENOSPC', 'EDQUOT'];

/** `file` is a path outside the home. Throws a CliError. */
export async function backup(file: string, force: boolean): Promise<Backup> {
  const { home } = readConfig();
  if (!existsSync(home))
    throw new CliError(ExitCode.notFound, `no Loopwatch home at ${home}; check LOOPWATCH_HOME`);
  const directory = dirname(file);
  if (!existsSync(directory)) {
    throw new CliError(ExitCode.notFound, `directory ${directory} does not exist; create it first`);
  }
  openHome(home);
  return backupDatabase({ home, file, force }).catch((error: unknown) => {
    throw asCliError(error, `no backup was written to ${file}`);
  });
}

/** Throws a CliError. */
export function restore(file: string): Restore {
  const { home } = readConfig();
  if (!existsSync(file))
    throw new CliError(ExitCode.notFound, `file ${file} does not exist; check the path`);
  openHome(home);
  const at = toIso(systemClock.now());
  try {
    return restoreDatabase({ home, file, at });
  } catch (error) {
    throw asCliError(error, 'nothing was restored');
  }
}

function asCliError(error: unknown, outcome: string): CliError {
  if (error instanceof HomeLockedError) {
    const pid = findDaemon()?.pid;
    const who = pid === undefined ? '' : ` (pid ${pid})`;
    return new CliError(
      ExitCode.alreadyRunning,
      `${error.message}${who}; stop it first with: loopwatch stop`,
    );
  }
  if (error instanceof DatabaseError) return new CliError(ExitCode.failed, error.message);
  const code = systemCode(error) ?? '';
  if (FULL.includes(code)) {
    return new CliError(
      ExitCode.failed,
      `the disk is full; ${outcome}; free some space (storage_full)`,
    );
  }
  if (code.startsWith('SQLITE_IOERR')) {
    const message = `a disk write failed; ${outcome}; free some space or check the disk (internal)`;
    return new CliError(ExitCode.failed, message);
  }
  if (code === 'SQLITE_BUSY' || code === 'SQLITE_LOCKED') {
    const message = `the database is locked by another program; ${outcome}; try again (storage_busy)`;
    return new CliError(ExitCode.failed, message);
  }
  return new CliError(ExitCode.failed, `${outcome}: ${messageOf(error)}`);
}
