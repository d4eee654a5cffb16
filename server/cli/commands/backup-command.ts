/** `loopwatch backup` and `restore`: the database of a home as one file, and back. Need no daemon. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { oneLine } from '../../../shared/rules/plain-text.ts';
import type { Backup } from '../../db/backup-database.ts';
import type { DatabaseContents } from '../../db/database-contents.ts';
import type { Restore } from '../../db/restore-database.ts';
import { print } from '../print/print.ts';

const MAX_LINE = 200;

const NOT_IN_IT = 'not in it: the token, the log, recordings, and what the terminals show now';

/** Adds both commands. */
export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description('write the database into a file, whole, while the daemon runs or not')
    .argument('<file>', `a name outside the home; ${NOT_IN_IT}`)
    .option('--force', 'replace the file if it is there')
    .option('--json', 'as JSON')
    .action(async (file: string, options: { force?: boolean; json?: boolean }) => {
      const { backup } = await import('../backup-home.ts');
      const made = await backup(resolve(file), options.force === true);
      print(options.json === true ? JSON.stringify(made) : backupText(made));
    });

  program
    .command('restore')
    .description('put a backup in the place of the database; the daemon must not run')
    .argument('<file>', 'what backup wrote, or a database that an earlier restore kept')
    .option('--json', 'as JSON')
    .action(async (file: string, { json }: { json?: boolean }) => {
      const { restore } = await import('../backup-home.ts');
      const restored = restore(resolve(file));
      print(json === true ? JSON.stringify(restored) : restoreText(restored));
    });
}

function backupText(made: Backup): string {
  return [`saved to ${made.file}`, contentsText(made, made.bytes), NOT_IN_IT].join('\n');
}

function restoreText(restored: Restore): string {
  const { replaced, alerts_off } = restored;
  return [
    `restored ${contentsText(restored, restored.bytes)}`,
    ...(alerts_off.length === 0
      ? []
      : [
          'these alerts are off, since this machine did not have them; an admin turns one on with: loopwatch alerts enable ID',
          ...alerts_off.map(
            ({ id, name, kind, to }) => `  ${oneLine(`${id}  ${name} (${kind} ${to})`, MAX_LINE)}`,
          ),
        ]),
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
