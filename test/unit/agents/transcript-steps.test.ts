/** The calls of an agent from its client's transcript: by place, in bounded pages, hostile or not. */
import {
  appendFileSync,
  mkdtempSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { parseStepLine } from '../../../server/agents/records/step-line.ts';
import { TranscriptFiles } from '../../../server/agents/records/transcript-files.ts';
import { TranscriptSteps } from '../../../server/agents/records/transcript-steps.ts';
import { callLine, resultLine } from '../../support/agents/transcript-lines.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

const CONVERSATION = '01d7a2da-a8ba-4d5a-a613-4e4a6cb9ddd3';
const made: string[] = [];
afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true });
});

function open() {
  const config = mkdtempSync(join(TEST_ROOT, 'a'));
  made.push(config);
  const folder = join(config, 'projects', 'p');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${CONVERSATION}.jsonl`);
  const steps = new TranscriptSteps(new TranscriptFiles({ CLAUDE_CONFIG_DIR: config }));
  return {
    folder,
    path,
    write: (...lines: string[]) => appendFileSync(path, lines.map((line) => `${line}\n`).join('')),
    read: (query: { before?: string; after?: string } = {}) => steps.read(CONVERSATION, query),
  };
}

const names = (found: { steps: { id: string }[] }) => found.steps.map(({ id }) => id);

it('SA1 a call has its tool, its file or command, its todos, and later its result', () => {
  const { write, read } = open();
  write(
    callLine('a', 'Edit', { file_path: '/p/src/x.ts', old_string: 'o', new_string: 'n' }),
    callLine('b', 'Bash', { command: 'npm test', description: 'Run the tests' }),
    callLine('c', 'Task', { description: 'Find callers', subagent_type: 'Explore', prompt: 'x' }),
    callLine('d', 'TodoWrite', { todos: [{ content: 'One', status: 'in_progress' }] }),
    callLine('e', 'TaskCreate', { subject: 'Two', description: 'x' }),
    callLine('f', 'TaskUpdate', { taskId: '7', status: 'completed' }),
    resultLine('a', 'ok'),
    resultLine('b', 'exit 1', true),
    resultLine('e', 'Task #8 created successfully: Two'),
  );
  const found = read();
  expect(found).toMatchObject({ status: 'shown', is_continued: true, older: null });
  expect(found.steps).toMatchObject([
    { id: 'a', tool: 'Edit', subject: '/p/src/x.ts', file: '/p/src/x.ts', changes: true },
    { id: 'b', tool: 'Bash', subject: 'npm test', file: null, changes: false, subagent: null },
    { id: 'c', subject: 'Find callers', subagent: 'Explore' },
    { id: 'd', todos: [{ text: 'One', status: 'in_progress' }] },
    { id: 'e', todo: { id: null, text: 'Two', status: 'pending' } },
    { id: 'f', todo: { id: '7', text: null, status: 'completed' } },
  ]);
  expect(found.results).toEqual([
    { id: 'a', failed: false, todo: null },
    { id: 'b', failed: true, todo: null },
    { id: 'e', failed: false, todo: '8' },
  ]);
});

it('SA2 the newest come first, older ones in pages, each once, and no read is larger than a megabyte', () => {
  const { write, read } = open();
  const all = Array.from({ length: 400 }, (_, n) => `s${n}`);
  // Results are much longer than what is shown of them.
  for (const id of all)
    write(callLine(id, 'Read', { file_path: `/p/${id}` }), resultLine(id, 'x'.repeat(9_000)));
  const pages: string[][] = [];
  let page = read();
  const { newer } = page;
  const ended = page.results.map(({ id }) => id);
  pages.unshift(names(page));
  while (page.older !== null) {
    page = read({ before: page.older });
    pages.unshift(names(page));
    ended.unshift(...page.results.map(({ id }) => id));
  }
  // Also those whose line is where two parts meet.
  expect(ended).toEqual(all);
  expect(pages.length).toBeGreaterThan(4);
  expect(pages.flat()).toEqual(all);
  expect(names(read({ after: newer ?? '' }))).toEqual([]);
});

it('SA3 only what was appended is read, also when a line was half written', () => {
  const { path, write, read } = open();
  write(callLine('a', 'Bash', { command: 'ls' }));
  const first = read();
  const line = callLine('b', 'Bash', { command: 'pwd' });
  appendFileSync(path, line.slice(0, 40));
  const half = read({ after: first.newer ?? '' });
  expect(names(half)).toEqual([]);
  appendFileSync(path, `${line.slice(40)}\n`);
  expect(names(read({ after: half.newer ?? '' }))).toEqual(['b']);
});

it('SA3 a line longer than everything read at once is passed over', () => {
  const { write, read } = open();
  write(callLine('a', 'Bash', { command: 'ls' }));
  const first = read();
  write(resultLine('a', 'x'.repeat(3 * 1024 * 1024)), callLine('b', 'Bash', { command: 'pwd' }));
  let { newer } = first;
  const seen: string[] = [];
  for (let n = 0; n < 8; n += 1) {
    const next = read({ after: newer ?? '' });
    seen.push(...names(next));
    ({ newer } = next);
  }
  expect(seen).toEqual(['b']);
  let page = read();
  const back = names(page);
  while (page.older !== null) {
    page = read({ before: page.older });
    back.unshift(...names(page));
  }
  expect(back).toEqual(['a', 'b']);
});

it('SA4 without a transcript, and without the one that was read, it says so', () => {
  const { path, write, read } = open();
  expect(read()).toMatchObject({ status: 'no_transcript', steps: [], newer: null });
  write(callLine('a', 'Bash', { command: 'ls' }));
  const { newer } = read();
  renameSync(path, `${path}.old`);
  expect(read({ after: newer ?? '' })).toMatchObject({ status: 'gone', steps: [] });
  write(callLine('b', 'Bash', { command: 'ls' }));
  const other = read({ after: newer ?? '' });
  expect([other.status, other.is_continued, names(other)]).toEqual(['shown', false, ['b']]);
});

it('SA5 a transcript is foreign: links, invalid lines and odd values show nothing and break nothing', () => {
  const { folder, path, write, read } = open();
  writeFileSync(join(folder, 'other'), `${callLine('a', 'Bash', { command: 'ls' })}\n`);
  symlinkSync(join(folder, 'other'), path);
  expect(read()).toMatchObject({ status: 'no_transcript', steps: [] });
  rmSync(path);
  write(
    '{"type":"assistant","message":{"content":[{"type":"tool_use"',
    '"tool_use"',
    '{"type":"assistant","message":{"content":[{"type":"tool_use","id":7,"name":{}}]}}',
    '{"type":"assistant","timestamp":"+999999-01-01","message":{"content":[{"type":"tool_use","id":"odd","name":"B\\u001b[2J","input":{"command":"a\\u202e\\nb","todos":"no"}}]}}',
    callLine('fine', 'Write', {
      file_path: 'f'.repeat(9_000),
      todos: Array(500).fill({ content: 'x' }),
    }),
  );
  const found = read();
  expect(names(found)).toEqual(['odd', 'fine']);
  const [odd, fine] = found.steps;
  expect(odd).toMatchObject({ at: null, todos: null });
  expect(JSON.stringify(odd)).not.toMatch(/\\u001b|\u202e/);
  expect(fine?.file?.length).toBe(1_000);
  expect(fine?.todos?.length).toBe(100);
  expect(parseStepLine('x'.repeat(300_000))).toBeNull();
});
