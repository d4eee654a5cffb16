/** Names files in progress after their process, and removes those of a killed one. */
import { closeSync, constants, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readProcess } from '../lib/processes/process-identity.ts';
import { randomId } from '../lib/random-id.ts';

const PARTIAL = /^\.partial-(\d+)-[0-9a-f]{20}(-journal|-wal|-shm)?$/;

/** In the same directory, named after this process. */
export function partialFile(file: string): string {
  return `${file}.partial-${process.pid}-${randomId()}`;
}

/** Removes it with the files SQLite may have left next to it. */
export function removePartial(partial: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) {
    rmSync(`${partial}${suffix}`, { force: true });
  }
}

/** Removes partial files of processes that no longer run. */
export function sweepPartial(file: string): void {
  const directory = dirname(file);
  for (const name of readdirSync(directory)) {
    if (!name.startsWith(basename(file))) continue;
    const pid = PARTIAL.exec(name.slice(basename(file).length))?.[1];
    if (pid !== undefined && readProcess(Number(pid)) === null) rmSync(join(directory, name));
  }
}

/** Throws the system's error. */
export function flushToDisk(path: string): void {
  const fd = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
