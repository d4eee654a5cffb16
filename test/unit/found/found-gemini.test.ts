/** Chats of Gemini are files that any program may write, and its script is recognized by its path. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ClientProcesses } from '../../../server/found/clients/client-processes.ts';
import { Gemini } from '../../../server/found/clients/gemini.ts';
import { chatsOf, newestChat, parseChatHead } from '../../../server/found/clients/gemini-chat.ts';
import { systemProcesses } from '../../../server/lib/processes/processes.ts';
import { systemClock } from '../../../server/lib/clock.ts';
import { startChat } from '../../support/found/other-client.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

const PROJECT = '/srv/shop';
const HASH = createHash('sha256').update(PROJECT).digest('hex');
const CHAT = '7e442a9f-8928-4eda-aa0c-a409f5b52eb7';

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(TEST_ROOT, 'g'));
});

afterEach(() => rmSync(home, { recursive: true }));

function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

it('FS59 only the script of the package in Node.js is Gemini, by its real path', () => {
  const script = write(join(home, 'lib/node_modules/@google/gemini-cli/bundle/gemini.js'), '');
  const other = write(join(home, 'lib/gemini.js'), '');
  symlinkSync(script, join(home, 'gemini'));
  const isIts = (exe: string, ...argv: string[]) =>
    new Gemini({ HOME: home }).isIts({ exe, argv: [exe, ...argv], cwd: home });
  expect(isIts('/usr/bin/node', '--max-old-space-size=64', './gemini', '-p', 'hi')).toBe(true);
  expect(isIts('/usr/bin/node', script)).toBe(true);
  expect(isIts('/usr/bin/vim', script)).toBe(false);
  expect(isIts('/usr/bin/node', other)).toBe(false);
  expect(isIts('/usr/bin/node', '-e', script.slice(1))).toBe(false);
  expect(isIts('/usr/bin/node')).toBe(false);
});

it('FS59 FS62 the newest chat of that project counts, written after the process began', () => {
  const path = startChat(home, PROJECT, CHAT);
  const directory = chatsOf(join(home, '.gemini'), PROJECT) ?? '';
  const newest = () => newestChat(directory, PROJECT, Date.now() - 60_000)?.conversation ?? null;
  expect(newest()).toBe(CHAT);
  expect(chatsOf(join(home, '.gemini'), '/srv/bank')).not.toBe(directory);
  utimesSync(path, 1, 1);
  expect(newest()).toBe(null);

  const chat = (id: string, differs: object) => {
    const fields = { sessionId: CHAT, projectHash: HASH, kind: 'main', ...differs };
    write(join(directory, `session-2026-11-25T18-50-${id}.jsonl`), `${JSON.stringify(fields)}\n`);
  };
  chat('subagent', { kind: 'subagent' });
  chat('another', { projectHash: 'x' });
  chat('no-text', { sessionId: 7 });
  chat('too-long', { sessionId: 'x'.repeat(20_000) });
  write(join(directory, 'session-2026-11-25T18-51-halfofit.jsonl'), '{"sessionId":"half');
  symlinkSync(path, join(directory, 'session-2026-11-25T18-52-linked.jsonl'));
  expect(newest()).toBe(null);
  writeFileSync(join(home, '.gemini/tmp/shop/.project_root'), '/srv/bank');
  expect(chatsOf(join(home, '.gemini'), PROJECT)).toBe(null);
});

it('FS59 an older version names the directory by its hash, and writes one object', () => {
  const base = join(home, '.gemini');
  const fields = { sessionId: CHAT, projectHash: HASH, startTime: 'x', messages: [{ id: '1' }] };
  const file = join(base, 'tmp', HASH, 'chats/session-2026-11-25T18-44-7e442a9f.json');
  write(file, JSON.stringify(fields, null, 2));
  const directory = chatsOf(base, PROJECT) ?? '';
  expect(newestChat(directory, PROJECT, 0)).toEqual({ path: file, conversation: CHAT });
});

it('FS62 any beginning of a chat is read without an error', () => {
  const line = fc.oneof(
    fc.json(),
    fc.constantFrom('{', '  "messages": [', '', '  "sessionId": 1,'),
  );
  fc.assert(fc.property(fc.array(line), (lines) => void parseChatHead(lines)));
});

it('FS66 what runs in a process is read once, and again when another program runs in it', async () => {
  let reads = 0;
  let isIts = false;
  const commandLine = async (pid: number) => {
    reads += 1;
    return systemProcesses.commandLine(pid);
  };
  const gemini = new Gemini({ HOME: home });
  gemini.isIts = () => isIts;
  const scan = new ClientProcesses([gemini], { processes: { commandLine }, clock: systemClock });
  const all = await systemProcesses.list();
  const own = all.filter(({ pid }) => pid === process.pid);
  const found = async (name: string) => {
    const byClient = await scan.of(own.map((each) => ({ ...each, name })));
    return [...byClient.values()].flat().map(({ pid }) => pid);
  };
  for (const name of ['one', 'one', 'one']) expect(await found(name)).toEqual([]);
  expect(reads).toBe(1);
  isIts = true;
  for (const name of ['two', 'two']) expect(await found(name)).toEqual([process.pid]);
  expect(reads).toBe(2);
});
