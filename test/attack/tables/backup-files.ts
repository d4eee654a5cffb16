/** What a file passed as a backup can be. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { ForeignBackup } from '../../support/drills/foreign-backup.ts';
import type { Spoil } from './backup-contents.ts';

const CANARY = 'c4n4ry';
const PAGE = 4096;

const bytes =
  (change: (content: Buffer) => Buffer): Spoil =>
  ({ file }) =>
    writeFileSync(file, change(readFileSync(file)));

/** Replaces the backup by something else of the same name. */
const instead =
  (make: (file: string, backup: ForeignBackup) => void): Spoil =>
  (backup) => {
    rmSync(backup.file);
    make(backup.file, backup);
  };

export const FILES: [name: string, spoil: Spoil][] = [
  ['nothing', instead((file) => writeFileSync(file, ''))],
  ['a text', instead((file) => writeFileSync(file, CANARY.repeat(2_000)))],
  ['SQL', instead((file) => writeFileSync(file, 'ATTACH DATABASE "x" AS x; .shell touch pwned\n'))],
  ['zeros', instead((file) => writeFileSync(file, Buffer.alloc(16 * PAGE)))],
  ['a head alone', bytes((content) => content.subarray(0, 100))],
  ['its first half', bytes((content) => content.subarray(0, content.length / 2))],
  ['all but its last page', bytes((content) => content.subarray(0, -PAGE))],
  ['a page in the middle of nothing', bytes((content) => content.fill(0, 4 * PAGE, 5 * PAGE))],
  ['ones in a page', bytes((content) => content.fill(0xff, 2 * PAGE, 3 * PAGE))],
  ['a page size of 0', bytes((content) => content.fill(0, 16, 18))],
  ['a page size of 3', bytes((content) => content.fill(3, 16, 18))],
  ['a format of the future', bytes((content) => content.fill(9, 18, 20))],
  ['a schema format of 255', bytes((content) => content.fill(255, 44, 48))],
  ['a list of free pages into itself', bytes((content) => content.fill(1, 32, 40))],
  [
    'cells that point outside of their page',
    bytes((content) => content.fill(0xfe, PAGE + 8, PAGE + 16)),
  ],
  ['a hole of 1 TB', instead((file) => truncateSync(made(file), 2 ** 40))],
  ['a directory', instead((file) => mkdirSync(file))],
  ['a FIFO', instead((file) => execFileSync('mkfifo', [file]))],
  ['a link to zeros', instead((file) => symlinkSync('/dev/zero', file))],
  ['a link to a terminal', instead((file) => symlinkSync('/dev/tty', file))],
  [
    'a link to the database in use',
    instead((file, { home }) => symlinkSync(join(home, 'loopwatch.db'), file)),
  ],
  [
    'a second name of the database in use',
    instead((file, { home }) => linkSync(join(home, 'loopwatch.db'), file)),
  ],
  [
    'a journal beside it that is to be played back',
    (backup) => copyFileSync(backup.file, hotJournal(backup)),
  ],
];

function made(file: string): string {
  writeFileSync(file, '');
  return file;
}

/** An unfinished write of another program: its journal is next to the file, and the file is half new. */
function hotJournal({ file, root }: ForeignBackup): string {
  const raw = new Sqlite(file);
  raw.pragma('journal_mode = DELETE');
  raw.pragma('cache_size = 1');
  raw.pragma('cache_spill = ON');
  raw.exec('BEGIN; UPDATE people SET name = hex(zeroblob(100000))');
  const journal = readFileSync(`${file}-journal`);
  const half = readFileSync(file);
  raw.exec('ROLLBACK');
  raw.close();
  writeFileSync(`${file}-journal`, journal);
  writeFileSync(file, half);
  return join(root, 'aside');
}
