/** `loopwatch backup` and `restore`: the database of a home as one file, and back. Need no daemon. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { oneLine } from '../../../../shared/rules/text/plain-text.ts';
import { countText } from '../../../../shared/words/count-text.ts';
import type { Backup } from '../../../db/backup-database.ts';
import type { DatabaseContents } from '../../../db/database-contents.ts';
import type { Restore } from '../../../db/restore-database.ts';
import { print } from '../../print/print.ts';

const MAX_LINE = 200;

const NOT_IN_IT = 'not included: the token, the log, recordings and current terminal contents';

/** Adds both commands. */
export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .argument('<file>', `path outside LOOPWATCH_HOME; ${NOT_IN_IT}`)
    .option('--force', 'overwrite the file if it exists')
    .option('--json', 'output as JSON')
    .action(async (file: string, options: { force?: boolean; json?: boolean }) => {
      const { backup } = await import('../../backup-home.ts');
      const made = await backup(resolve(file), options.force === true);
      print(options.json === true ? JSON.stringify(made) : backupText(made));
    });

  program
    .command('restore')
    .argument('<file>', 'a file written by backup, or a database kept by an earlier restore')
    .option('--json', 'output as JSON')
    .action(async (file: string, { json }: { json?: boolean }) => {
      const { restore } = await import('../../backup-home.ts');
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
          'these alerts are off because this machine did not have them; an admin can turn one on with: loopwatch alert enable ID',
          ...alerts_off.map(
            ({ id, name, kind, to }) => `  ${oneLine(`${id}  ${name} (${kind} ${to})`, MAX_LINE)}`,
          ),
        ]),
    ...(replaced === null
      ? []
      : [
          `the previous database was kept as ${replaced}`,
          `to undo, with the daemon stopped: loopwatch restore ${quoted(replaced)}`,
        ]),
    'start the daemon with: loopwatch start; clients reload everything',
  ].join('\n');
}

function contentsText(contents: DatabaseContents, bytes: number): string {
  const { events, sessions, loops, tasks, head, epoch } = contents;
  const life = epoch === null ? '' : ` of epoch ${epoch}`;
  return [
    `${countText(events, 'event')} (newest ${head}${life})`,
    countText(sessions, 'session'),
    countText(loops, 'loop'),
    `${countText(tasks, 'task')}; ${bytes} bytes`,
  ].join(', ');
}

/** As a shell reads it. */
function quoted(path: string): string {
  return /^[\w./:@+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
