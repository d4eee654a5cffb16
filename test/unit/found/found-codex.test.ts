/** Rollouts are files that any program may write; only one that Codex keeps open shows a session. */
import {
  appendFileSync,
  closeSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Codex } from '../../../server/found/clients/codex.ts';
import type { ClientProcess } from '../../../server/found/clients/other-client.ts';
import {
  parseRolloutHead,
  parseRolloutLine,
  type RolloutFact,
} from '../../../server/found/clients/rollout-line.ts';
import { foldRollout, NO_TURN } from '../../../server/found/clients/rollout-turn.ts';
import {
  modelMessage,
  rolloutHead,
  rolloutPath,
  toolCall,
  turnContext,
  turnEvent,
} from '../../support/found/rollout-lines.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';
import { until } from '../../support/house/until.ts';

const ONE = '01a21402-3617-7cd0-bf3c-d6b91178492d';
const TWO = '01a21402-e3ff-76b0-a191-5e29115ba6da';
const START = Date.UTC(2026, 10, 25, 18);

let root: string;
let files: number[];

beforeEach(() => {
  root = mkdtempSync(join(TEST_ROOT, 'x'));
  files = [];
});

afterEach(() => {
  for (const file of files) closeSync(file);
  rmSync(root, { recursive: true });
});

/** The process of this test, as if it were Codex. */
function codexProcess(...argv: string[]): ClientProcess {
  const exe = '/opt/bin/codex';
  const program = { exe, argv: [exe, ...argv], cwd: '/' };
  const { pid } = process;
  const listed = { pid, startedAt: '7', name: 'codex', parent: 1, group: 1, session: 1 };
  return { ...listed, program, startMs: START };
}

function jsonl(...lines: object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function rollout(id: string, text: string, flags = 'a'): string {
  const path = join(root, rolloutPath(id));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  files.push(openSync(path, flags));
  return path;
}

const conversations = (codex: Codex, process = codexProcess()) =>
  codex.open([process]).map(({ conversation }) => conversation);

it('FS59 only the executable of Codex is Codex', () => {
  const codex = new Codex({ CODEX_HOME: root });
  const isIts = (exe: string) => codex.isIts({ ...codexProcess().program, exe });
  expect(isIts('/home/me/.codex/packages/app-server-daemon/releases/1/bin/codex')).toBe(true);
  expect(isIts('/opt/codex-x86_64-unknown-linux-musl')).toBe(true);
  expect(['/usr/bin/node', '/opt/codex/bin/rg', '/opt/mycodex', ''].filter(isIts)).toEqual([]);
});

it('FS59 FS60 each conversation that it has open for writing is one, and none of a subagent', () => {
  const codex = new Codex({ CODEX_HOME: root });
  expect(conversations(codex)).toEqual([]);
  rollout(ONE, jsonl(rolloutHead(ONE, '/srv/shop', START + 5_000)));
  rollout(TWO, jsonl(rolloutHead(TWO, '/srv/bank', START - 5_000)));
  const child = '01a21402-e3ff-76b0-a191-5e29115ba6db';
  const spawned = { source: { subagent: { thread_spawn: { depth: 1 } } } };
  rollout(child, jsonl(rolloutHead(child, '/srv/shop', START, spawned)));
  const marked = child.replace('db', 'dc');
  rollout(marked, jsonl(rolloutHead(marked, '/srv/shop', START, { thread_source: 'subagent' })));
  const shown = codex.open([codexProcess('app-server')]);
  expect(shown.map(({ process: _, path: __, ...each }) => each)).toEqual([
    {
      conversation: ONE,
      isOneOfSeveral: true,
      cwd: '/srv/shop',
      place: 'background',
      version: '0.169.0',
      sinceMs: START + 5_000,
    },
    {
      conversation: TWO,
      isOneOfSeveral: true,
      cwd: '/srv/bank',
      place: 'background',
      version: null,
      sinceMs: START,
    },
  ]);
  expect(codex.open([codexProcess(), codexProcess()])).toHaveLength(2);
  closeSync(files.splice(0, 1)[0] ?? -1);
  expect(conversations(codex)).toEqual([TWO]);
});

it('FS60 one prompt without a person is in print mode', () => {
  rollout(ONE, jsonl(rolloutHead(ONE, '/srv', START, { source: 'exec' })));
  expect(new Codex({ CODEX_HOME: root }).open([codexProcess('exec', 'do it')])[0]?.place).toBe(
    'print',
  );
});

it('FS62 a rollout that is only read, half written, foreign to its name or no plain file is none', () => {
  const codex = new Codex({ CODEX_HOME: root });
  const head = jsonl(rolloutHead(ONE, '/srv', START));
  const path = rollout(ONE, head, 'r');
  expect(conversations(codex)).toEqual([]);
  files.push(openSync(path, 'a'));
  writeFileSync(path, head.slice(0, -2));
  expect(conversations(codex)).toEqual([]);
  for (const lie of [
    rolloutHead(TWO, '/srv', START),
    rolloutHead(ONE, 'work', START),
    rolloutHead(ONE, `/${'x'.repeat(5_000)}`, START),
    rolloutHead(ONE, '/srv', START, { base_instructions: 'x'.repeat(300_000) }),
    { ...rolloutHead(ONE, '/srv', START), type: 'event_msg' },
    { ...rolloutHead(ONE, '/srv', START), payload: [] },
  ]) {
    writeFileSync(path, jsonl(lie));
    expect(conversations(codex)).toEqual([]);
  }
  writeFileSync(path, head);
  linkSync(path, `${path}.other-name`);
  expect(conversations(codex)).toEqual([]);
  rmSync(path);
  symlinkSync(`${path}.other-name`, path);
  expect(conversations(codex)).toEqual([]);
  rmSync(path);
  writeFileSync(path, head);
  files.push(openSync(path, 'r+'));
  expect(conversations(codex)).toEqual([ONE]);
});

it('FS62 any line is read without an error, and its times fit a date', () => {
  const key = fc.constantFrom('type', 'timestamp', 'payload', 'id', 'cwd', 'name', 'source');
  const odd = fc.constantFrom(
    'session_meta',
    'event_msg',
    'task_started',
    '__proto__',
    '+999999999',
  );
  const fields = fc.dictionary(key, fc.oneof(fc.anything(), odd), { maxKeys: 6 });
  fc.assert(
    fc.property(fields, fields, fc.nat(400), (outer, payload, cut) => {
      const text = JSON.stringify({ ...outer, payload });
      for (const line of [text, text.slice(0, cut)]) {
        const head = parseRolloutHead(line);
        const fact = parseRolloutLine(line);
        for (const each of [head, fact]) if (each !== null) new Date(each.atMs).toISOString();
      }
    }),
  );
});

function proven(...lines: object[]) {
  const facts = lines.map((line) => parseRolloutLine(JSON.stringify(line)));
  const known = facts.filter((fact): fact is RolloutFact => fact !== null);
  return known.reduce((turn, fact) => foldRollout(turn, fact, START), NO_TURN).proven;
}

const at = (seconds: number) => START + seconds * 1_000;

it('FS61 a turn is working until a call that may wait for a person, and ready when it has ended', () => {
  const begun = [turnEvent('task_started', at(1)), turnContext('on-request', at(2))];
  expect(proven()).toBe(null);
  expect(proven(...begun, modelMessage(at(3)))).toEqual({ state: 'working', sinceMs: at(1) });
  const called = [...begun, toolCall('exec_command', at(4)), modelMessage(at(5))];
  expect(proven(...called)).toEqual({ state: 'running', sinceMs: at(4) });
  expect(proven(...called, turnEvent('task_complete', at(6)))).toEqual({
    state: 'ready',
    sinceMs: at(6),
  });
  expect(proven(...called, turnEvent('turn_aborted', at(6)))).toEqual({
    state: 'interrupted',
    sinceMs: at(6),
  });
});

it('FS61 where Codex never asks, its own tools keep a turn working, others do not', () => {
  const begun = [turnEvent('task_started', at(1)), turnContext('never', at(2))];
  expect(proven(...begun, toolCall('exec_command', at(4)))?.state).toBe('working');
  expect(proven(...begun, toolCall('request_user_input', at(4)))?.state).toBe('running');
  expect(proven(...begun, toolCall('mcp__shop__order', at(4)))?.state).toBe('running');
  const settings = { type: 'thread_settings_applied', thread_settings: { approval_policy: 'x' } };
  const changed = {
    timestamp: new Date(at(3)).toISOString(),
    type: 'event_msg',
    payload: settings,
  };
  expect(proven(...begun, changed, toolCall('exec_command', at(4)))?.state).toBe('running');
});

it('FS61 the turn of an earlier process, and of a version that records no beginning, is not proven', () => {
  expect(proven(turnEvent('task_started', START - 1))).toBe(null);
  const stopped = turnEvent('turn_aborted', at(1));
  expect(proven(stopped, turnContext('on-request', at(2)))).toEqual({
    state: 'running',
    sinceMs: at(2),
  });
  expect(proven(stopped, modelMessage(at(3)))?.state).toBe('running');
});

it('FS61 what is appended is read once, from near the end, and a gap proves nothing', () => {
  const filler = { type: 'event_msg', payload: { type: 'token_count', info: 'x'.repeat(1_000) } };
  const noise = jsonl(...Array.from({ length: 300 }, () => filler));
  const begun = jsonl(rolloutHead(ONE, '/srv', START), turnEvent('task_started', at(1)));
  const path = rollout(ONE, begun);
  const codex = new Codex({ CODEX_HOME: root });
  const [session] = codex.open([codexProcess()]);
  if (session === undefined) throw new Error('not listed');
  const reader = codex.follow(session);
  const read = () => reader('always');
  expect(read()?.state).toBe('working');
  expect(read()?.state).toBe('working');
  const end = JSON.stringify(turnEvent('task_complete', at(2)));
  appendFileSync(path, end.slice(0, 40));
  expect(read()?.state).toBe('working');
  appendFileSync(path, `${end.slice(40)}\n`);
  expect(read()?.state).toBe('ready');
  appendFileSync(path, noise);
  expect(read()).toBe(null);
  appendFileSync(path, jsonl(turnEvent('task_started', at(3))));
  expect(read()?.state).toBe('working');
  appendFileSync(path, `"${'x'.repeat(200_000)}`);
  expect(read()).toBe(null);
  appendFileSync(path, `"\n${jsonl(turnEvent('task_complete', at(4)))}`);
  expect(read()?.state).toBe('ready');
  rmSync(path);
  expect(read()?.state).toBe('ready');
  codex.dispose();
});

it('FS66 between two scans a rollout is read when the system notices that it changed', async () => {
  const path = rollout(
    ONE,
    jsonl(rolloutHead(ONE, '/srv', START), turnEvent('task_started', at(1))),
  );
  const codex = new Codex({ CODEX_HOME: root });
  const [session] = codex.open([codexProcess()]);
  if (session === undefined) throw new Error('not listed');
  const read = codex.follow(session);
  expect(read('on_notice')?.state).toBe('working');
  appendFileSync(path, jsonl(turnEvent('task_complete', at(2))));
  // The notice has not arrived yet.
  expect(read('on_notice')?.state).toBe('working');
  await until('it is noticed', () => read('on_notice')?.state === 'ready');
  codex.dispose();
  // Without a watch the next call reads.
  appendFileSync(path, jsonl(turnEvent('turn_aborted', at(3))));
  expect(read('on_notice')?.state).toBe('interrupted');
  codex.dispose();
});
