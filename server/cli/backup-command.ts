/** `loopwatch backup` and `restore`: the database of a home as one file, and back. Need no daemon. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Backup, backupDatabase } from '../db/backup-database.ts';
import type { DatabaseContents } from '../db/database-contents.ts';
import { DatabaseError } from '../db/database.ts';
import { HomeLockedError } from '../db/home-lock.ts';
import { type Restore, restoreDatabase } from '../db/restore-database.ts';
import { messageOf, systemCode } from '../lib/app-error.ts';
import { systemClock, toIso } from '../lib/clock.ts';
import { readConfig } from '../lib/config.ts';
import { openHome } from '../lib/open-home.ts';
import { findDaemon } from './client.ts';
import { CliError, ExitCode } from './exit-code.ts';

const NOT_IN_IT = 'not in it: the token, the log, recordings, and what the terminals show now';

/** What a system says when there is no room for a file, or none for this user. */
const FULL = ['SQLITE_FULL', 'ENOSPC', 'EDQUOT'];

/** Adds both commands. */
export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description('write the database into a file, whole, while the daemon runs or not')
    .argument('<file>', `a name outside the home; ${NOT_IN_IT}`)
    .option('--force', 'replace the file if it is there')
    .option('--json', 'as JSON')
    .action(async (file: string, options: { force?: boolean; json?: boolean }) => {
      const made = await backup(resolve(file), options.force === true);
      print(options.json === true ? JSON.stringify(made) : backupText(made));
    });

  program
    .command('restore')
    .description('put a backup in the place of the database; the daemon must not run')
    .argument('<file>', 'what backup wrote, or a database that an earlier restore kept')
    .option('--json', 'as JSON')
    .action(async (file: string, { json }: { json?: boolean }) => {
      const restored = await restore(resolve(file));
      print(json === true ? JSON.stringify(restored) : restoreText(restored));
    });
}

async function backup(file: string, force: boolean): Promise<Backup> {
  const { home } = readConfig();
  if (!existsSync(home)) throw new CliError(ExitCode.notFound, `there is no home at ${home}`);
  openHome(home);
  return backupDatabase({ home, file, force }).catch((error: unknown) => {
    throw asCliError(error, `no backup was made at ${file}`);
  });
}

async function restore(file: string): Promise<Restore> {
  const { home } = readConfig();
  if (!existsSync(file)) throw new CliError(ExitCode.notFound, `there is no file ${file}`);
  openHome(home);
  const at = toIso(systemClock.now());
  return restoreDatabase({ home, file, at }).catch((error: unknown) => {
    throw asCliError(error, 'nothing was restored');
  });
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

function backupText(made: Backup): string {
  return [`saved to ${made.file}`, contentsText(made, made.bytes), NOT_IN_IT].join('\n');
}

function restoreText(restored: Restore): string {
  const { replaced } = restored;
  return [
    `restored ${contentsText(restored, restored.bytes)}`,
    ...(replaced === null
      ? []
      : [
          `the database before is kept as ${replaced}`,
          `to go back, with the daemon stopped: loopwatch restore ${quoted(replaced)}`,
        ]),
    'start the daemon with: loopwatch start; clients read everything anew',
  ].join('\n');
}

function contentsText(contents: DatabaseContents, bytes: number): string {
  const { events, sessions, loops, head, epoch } = contents;
  const life = epoch === null ? '' : ` of epoch ${epoch}`;
  return `${events} events (newest ${head}${life}), ${sessions} sessions, ${loops} loops; ${bytes} bytes`;
}

/** As a shell reads it. */
function quoted(path: string): string {
  return /^[\w./:@+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
