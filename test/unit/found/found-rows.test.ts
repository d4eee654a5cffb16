/** How the trial of found sessions judges delays, and what it takes for the same. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { differences, fileFacts } from '../../../trials/found/file-facts.ts';
import { type Row, verdictOf, verdictOfRow } from '../../../trials/found/row.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

const took = (ms: number, waitedMs = 0) => ({ ms, waitedMs, note: null });
const SHOWN = { ...took(10), ownMs: 900, caused: 'working', shown: 'working', isRight: true };
const ROW: Row = {
  role: { name: 'tmux-1', place: 'tmux', cause: 'work', end: 'exit' },
  pid: 7,
  listed: { ...took(10), ownMs: 5_000 },
  states: [SHOWN],
  gone: took(20),
};

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(TEST_ROOT, 'r'));
});

afterEach(() => rmSync(root, { recursive: true }));

it('a delay of more than two seconds is wrong, unless the daemon waited for a processor', () => {
  expect(verdictOf(took(2_000))).toBe('held');
  expect(verdictOf(took(2_001))).toBe('wrong');
  expect(verdictOf(took(5_000, 3_000))).toBe('not judged');
  expect(verdictOf(took(5_001, 3_000))).toBe('wrong');
});

it('a session is as bad as the worst of its delays, and wrong with a state that is', () => {
  expect(verdictOfRow(ROW)).toBe('held');
  expect(verdictOfRow({ ...ROW, gone: took(3_000, 1_500) })).toBe('not judged');
  expect(verdictOfRow({ ...ROW, gone: took(3_000, 1_500), listed: null })).toBe('wrong');
  expect(verdictOfRow({ ...ROW, states: [SHOWN, { ...SHOWN, isRight: false }] })).toBe('wrong');
  expect(verdictOfRow({ ...ROW, gone: null })).toBe('wrong');
});

it('a byte, a mode, a link, a new and a removed file are differences', () => {
  for (const name of ['byte', 'mode', 'removed', 'same']) writeFileSync(join(root, name), 'text');
  symlinkSync('same', join(root, 'link'));
  mkdirSync(join(root, 'below'));
  const before = fileFacts(root);
  expect(differences(before, fileFacts(root))).toEqual([]);
  writeFileSync(join(root, 'byte'), 'texT');
  chmodSync(join(root, 'mode'), 0o700);
  rmSync(join(root, 'removed'));
  rmSync(join(root, 'link'));
  symlinkSync('mode', join(root, 'link'));
  writeFileSync(join(root, 'below', 'new'), '');
  const changed = differences(before, fileFacts(root)).map((path) => path.slice(root.length + 1));
  expect(changed).toEqual(['below/new', 'byte', 'link', 'mode', 'removed']);
});
