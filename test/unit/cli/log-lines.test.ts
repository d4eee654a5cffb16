/** The log as `loopwatch logs` reads it, while it rotates. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LogLines } from '../../../server/cli/log-lines.ts';
import { RotatingFile } from '../../../server/lib/files/rotating-file.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

const KEEP = 3;
/** Four lines of this file's lengths. */
const MAX_BYTES = 40;

let directory: string;
let path: string;
let log: RotatingFile;

beforeEach(() => {
  directory = mkdtempSync(join(TEST_ROOT, 'log-'));
  path = join(directory, 'daemon.log');
  log = new RotatingFile({ path, maxBytes: MAX_BYTES, keep: KEEP, lostLine: () => '' });
});
afterEach(() => {
  log.close();
  rmSync(directory, { recursive: true });
});

const line = (number: number) => `line ${String(number).padStart(3, '0')}`;
const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => line(from + index));

function write(from: number, to: number): void {
  for (const text of lines(from, to)) log.write(`${text}\n`);
}

it('CL60 the last lines come from as many rotated files as needed', () => {
  expect(new LogLines(path).last(5)).toBeNull();
  write(0, 14);
  expect(new LogLines(path).last(3)).toEqual(lines(11, 14));
  expect(new LogLines(path).last(9)).toEqual(lines(5, 14));
  expect(new LogLines(path).last(1_000)).toEqual(lines(0, 14));
  expect(new LogLines(path).last(0)).toEqual([]);
});

it('CL60 following prints each line once and in order over rotations', () => {
  write(0, 2);
  const reader = new LogLines(path);
  expect(reader.last(1)).toEqual([line(1)]);
  expect(reader.next()).toEqual([]);
  const seen: string[] = [];
  for (let from = 2; from < 40; from += 5) {
    write(from, from + 5);
    seen.push(...reader.next());
  }
  expect(seen).toEqual(lines(2, 42));
});

it('CL60 after more rotations than are kept, following goes to what is left', () => {
  write(0, 2);
  const reader = new LogLines(path);
  reader.last(1);
  write(2, 60);
  expect(reader.next()).toEqual(new LogLines(path).last(1_000));
});
