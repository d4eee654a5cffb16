import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { DATABASE_FILE, type Database, DatabaseError } from '../db/database.ts';
import type { Log } from '../lib/log.ts';
import { packageRoot } from '../lib/package-root.ts';
import type { Scope } from '../lib/scope.ts';

/**
 * Checks the events of a database that was too large to be checked whole before the start, in a
 * process of its own. Resolves only when they are damaged, with the message for a person.
 */
export async function eventDamage(
  { isWhollyChecked }: Database,
  home: string,
  logger: Log,
  scope: Scope,
): Promise<DatabaseError> {
  return new Promise((resolve) => {
    if (isWhollyChecked) return;
    const file = join(home, DATABASE_FILE);
    const program = join(packageRoot(), 'dist/server/db/event-check.js');
    const child = spawn(process.execPath, [program, file], { stdio: ['ignore', 'pipe', 'pipe'] });
    scope.own(() => void child.kill('SIGKILL'));
    const output = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
    const unchecked = (why: unknown) => logger.warn({ why }, 'cannot check the stored events');
    child.on('error', unchecked);
    child.on('close', (code) => {
      if (code === 0 && output.stdout !== '') {
        logger.error({ damage: output.stdout }, 'the stored events are damaged');
        resolve(
          new DatabaseError(
            `the events in ${file} are damaged (${output.stdout}). The daemon stopped; sessions and ` +
              'agents keep running. Restore a backup with: loopwatch restore FILE, or move the file ' +
              'away to start with an empty database.',
          ),
        );
      } else if (code !== 0 && code !== null) unchecked(output.stderr);
    });
  });
}
