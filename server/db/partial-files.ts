/** Files that are being made, by whom, and how those of a process that was killed go away. */
import { closeSync, constants, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readProcess } from '../lib/process-identity.ts';
import { randomId } from '../lib/random-id.ts';

const PARTIAL = /^\.partial-(\d+)-[0-9a-f]{20}(-journal|-wal|-shm)?$/;

/** Takes the file that is to be made; gives where to make it, beside it and named after this process. */
export function partialFile(file: string): string {
  return `${file}.partial-${process.pid}-${randomId()}`;
}

/** Takes a partial file; removes it with what SQLite may have left beside it. */
export function removePartial(partial: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) {
    rmSync(`${partial}${suffix}`, { force: true });
  }
}

/** Takes a file; removes what processes that no longer live had begun to make in its place. */
export function sweepPartial(file: string): void {
  const directory = dirname(file);
  for (const name of readdirSync(directory)) {
    if (!name.startsWith(basename(file))) continue;
    const pid = PARTIAL.exec(name.slice(basename(file).length))?.[1];
    if (pid !== undefined && readProcess(Number(pid)) === null) rmSync(join(directory, name));
  }
}

/** Takes a file or directory; waits until the disk has it. Throws the system's error. */
export function flushToDisk(path: string): void {
  const fd = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
