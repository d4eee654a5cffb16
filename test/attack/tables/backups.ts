/** Files passed as a backup: each is refused, the home stays, and nothing in it is run. */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ForeignBackup } from '../../support/drills/foreign-backup.ts';
import type { Attack, Table, Target } from '../attack.ts';
import { OBJECTS, type Spoil, VALUES, VERSIONS } from './backup-contents.ts';
import { FILES } from './backup-files.ts';

/** Restores it over a home that has a database; returns the output and the state afterwards. */
async function restore({ world }: Target, spoil: Spoil) {
  using backup = new ForeignBackup();
  backup.fill();
  const database = join(backup.home, 'loopwatch.db');
  backup.fill(undefined, database);
  const before = readFileSync(database);
  spoil(backup);
  const child = world.run(['restore', backup.file], { LOOPWATCH_HOME: backup.home });
  let stderr = '';
  child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()));
  child.stdout?.resume();
  const [code] = (await once(child, 'close')) as [number | null];
  return {
    code,
    message: stderr.trim(),
    unchanged: readFileSync(database).equals(before),
    names: readdirSync(backup.home).filter((name) =>
      /restore|partial|-(wal|shm|journal)$/.test(name),
    ),
  };
}

/** One line that explains it for any content of the file, and no trace of the program. */
const words = (pattern: RegExp): unknown =>
  expect.toSatisfy(
    (message: string) =>
      pattern.test(message) && message.split('\n').length === 1 && !/\u202e|^ +at /m.test(message),
  );

const rowsOf = (rule: string, rows: [string, Spoil][], pattern: RegExp): Attack<Target>[] =>
  rows.map(([name, spoil]) => ({
    rule,
    name: `a backup with ${name} is refused, and nothing is changed`,
    attack: async (target) => restore(target, spoil),
    holds: { code: 1, message: words(pattern), unchanged: true, names: [] },
  }));

export const BACKUP_TABLE: Table<Target> = {
  title: 'backups',
  twin: async (target) => restore(target, () => undefined),
  passes: {
    code: 0,
    message: '',
    unchanged: false,
    names: [expect.stringContaining('before-restore')],
  },
  rows: [
    ...rowsOf('KE23', [...OBJECTS, ...VALUES], /Nothing was changed|nothing was restored/),
    ...rowsOf(
      'KE20',
      [...VERSIONS, ...FILES],
      /Nothing was changed|nothing was restored|is not a file|current database/,
    ),
  ],
};
