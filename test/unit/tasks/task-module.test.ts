/** The record of a task module: whole or not at all, also when it is hostile. */
import { execFileSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  draftModule,
  readTaskModule,
  readTaskStatus,
  writeTaskModule,
} from '../../../server/modules/task-module.ts';
import { moduleDirectory } from '../../support/git/module-directory.ts';

const AT = '2026-01-01T00:00:00.000Z';
const LATER = '2026-01-01T00:05:00.000Z';
const INDEX = '.index.json';

it('LS4 a written index is read back, with keys of other tools kept', () => {
  const directory = moduleDirectory({
    [INDEX]: { status: 'review', tags: ['web'], depends_on: 'x' },
  });
  const read = readTaskModule(directory);
  if (read.kind !== 'module') throw new Error(JSON.stringify(read));
  expect(read.module).toMatchObject({ status: 'review', phase: '', completed_steps: 0, title: '' });
  writeTaskModule(directory, { ...read.module, status: 'executing' }, LATER);
  expect(JSON.parse(readFileSync(join(directory, INDEX), 'utf8'))).toMatchObject({
    status: 'executing',
    tags: ['web'],
    depends_on: 'x',
    updated: LATER,
  });
  expect(readdirSync(directory)).toEqual([INDEX]);
});

it('LS13 an older index is read, and the first write makes it a current one', () => {
  const text = `---
title: "Log in: again"
type: feature
status: re-planning
phase: needs-check
completed_steps: 3
depends_on: []
tags: [auth, 'web ui']
created: ${AT}
---
# Notes
status: complete
`;
  const directory = moduleDirectory({ '.index.md': text });
  const read = readTaskModule(directory);
  if (read.kind !== 'module') throw new Error(JSON.stringify(read));
  expect(read.module).toMatchObject({
    title: 'Log in: again',
    type: 'feature',
    status: 're-planning',
    phase: 'needs-check',
    completed_steps: 3,
    depends_on: [],
    tags: ['auth', 'web ui'],
    created: AT,
  });
  writeTaskModule(directory, { ...read.module, status: 'review' }, LATER);
  expect(readTaskStatus(directory)).toBe('review');
  expect(readFileSync(join(directory, '.index.md'), 'utf8')).toBe(text);
});

it.each([
  ['windows lines', '---\r\nstatus: blocked\r\n---\r\n', 'blocked'],
  ['no front matter', 'status: complete\n', null],
  ['an unknown status', '---\nstatus: finished\n---\n', null],
  ['one that never ends', '---\nstatus: complete\n', null],
])('LS13 an older index with %s', (_, text, status) => {
  expect(readTaskStatus(moduleDirectory({ '.index.md': text }))).toBe(status);
});

const TORN = JSON.stringify(draftModule('x', AT)).slice(0, 40);

it.each([
  ['torn', TORN, 'is not valid JSON'],
  ['empty', '', 'is not valid JSON'],
  ['a list', '[]', 'is not an object'],
  ['null', 'null', 'is not an object'],
  ['without a status', '{"title":"x"}', 'has no valid "status"'],
  ['with a status of its own', '{"status":"done"}', 'has no valid "status"'],
  ['with a status from Object', '{"status":"constructor"}', 'has no valid "status"'],
  ['no text', Buffer.from([0xff, 0xfe, 0x00]), 'is not UTF-8'],
  ['huge', ' '.repeat(256 * 1024 + 1), 'is larger than 262144 bytes'],
])('LS14 an index that is %s is no status, and says so', (_, content, detail) => {
  const directory = moduleDirectory({
    [INDEX]: content,
    '.index.md': '---\nstatus: complete\n---\n',
  });
  expect(readTaskModule(directory)).toEqual({ kind: 'unreadable', file: INDEX, detail });
  expect(readTaskStatus(directory)).toBe(null);
});

it.each([
  ['a link', (path: string) => symlinkSync('/etc/passwd', path), 'is not a regular file'],
  ['a link to itself', (path: string) => symlinkSync(path, path), 'is not a regular file'],
  ['a directory', (path: string) => mkdirSync(path), 'is not a regular file'],
  ['a FIFO', (path: string) => execFileSync('mkfifo', [path]), 'is not a regular file'],
  [
    'a second name of another file',
    (path: string) => {
      writeFileSync(`${path}.other`, '{"status":"complete"}');
      linkSync(`${path}.other`, path);
    },
    'has more than one hard link',
  ],
])('LS14 %s in place of the index is refused and never followed', (_, put, detail) => {
  const directory = moduleDirectory();
  put(join(directory, INDEX));
  expect(readTaskModule(directory)).toEqual({ kind: 'unreadable', file: INDEX, detail });
});

it('LS14 a directory without an index is not a module', () => {
  expect(readTaskModule(moduleDirectory())).toEqual({ kind: 'absent' });
  expect(readTaskModule('/nowhere')).toEqual({ kind: 'absent' });
});

it('LS14 fields that make no sense fall back, and do not cost the status', () => {
  const index = {
    status: 'complete',
    phase: 'sideways',
    completed_steps: -1,
    title: 7,
    created: {},
  };
  const read = readTaskModule(moduleDirectory({ [INDEX]: index }));
  expect(read).toMatchObject({
    module: { status: 'complete', phase: '', completed_steps: 0, title: '', created: '' },
  });
});
