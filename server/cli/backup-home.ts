/** The database of this home into a file, and back; what is in the way is said as an exit code. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Backup, backupDatabase } from '../db/backup-database.ts';
import { DatabaseError } from '../db/database.ts';
import { HomeLockedError, openHome } from '../db/home.ts';
import { type Restore, restoreDatabase } from '../db/restore-database.ts';
import { messageOf, systemCode } from '../lib/app-error.ts';
import { systemClock, toIso } from '../lib/clock.ts';
import { readConfig } from '../lib/config.ts';
import { findDaemon } from './client.ts';
import { CliError, ExitCode } from './exit-code.ts';

/** What a system says when there is no room for a file, or none for this user. */
const FULL = ['SQLITE_FULL', 'ENOSPC', 'EDQUOT'];

/** Takes a path outside the home; gives what the backup has. Throws a CliError. */
export async function backup(file: string, force: boolean): Promise<Backup> {
  const { home } = readConfig();
  if (!existsSync(home)) throw new CliError(ExitCode.notFound, `there is no home at ${home}`);
  const directory = dirname(file);
  if (!existsSync(directory)) {
    throw new CliError(ExitCode.notFound, `there is no directory ${directory}; create it first`);
  }
  openHome(home);
  return backupDatabase({ home, file, force }).catch((error: unknown) => {
    throw asCliError(error, `no backup was made at ${file}`);
  });
}

/** Takes the path of a backup; gives what the home has now. Throws a CliError. */
export function restore(file: string): Restore {
  const { home } = readConfig();
  if (!existsSync(file)) throw new CliError(ExitCode.notFound, `there is no file ${file}`);
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
      `${error.message}${who}; end it first with: loopwatch stop`,
    );
  }
  if (error instanceof DatabaseError) return new CliError(ExitCode.failed, error.message);
  const code = systemCode(error) ?? '';
  if (FULL.includes(code)) {
    return new CliError(ExitCode.failed, `the disk is full; ${outcome}; make room (storage_full)`);
  }
  if (code.startsWith('SQLITE_IOERR')) {
    const message = `the disk refused a write; ${outcome}; make room, or look after the disk (internal)`;
    return new CliError(ExitCode.failed, message);
  }
  if (code === 'SQLITE_BUSY' || code === 'SQLITE_LOCKED') {
    const message = `another program holds the database; ${outcome}; try again (storage_busy)`;
    return new CliError(ExitCode.failed, message);
  }
  return new CliError(ExitCode.failed, `${outcome}: ${messageOf(error)}`);
}
