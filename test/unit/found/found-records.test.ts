/** Records and transcripts of found sessions are files that any program may write. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { assess } from '../../../server/agents/reading/assess.ts';
import { NO_EVIDENCE } from '../../../server/agents/reading/evidence.ts';
import { parseActivityLine } from '../../../server/agents/records/activity-line.ts';
import { parseStatusRecord } from '../../../server/agents/records/status-record.ts';
import { isSession } from '../../../server/found/is-session.ts';
import { isTaken } from '../../../server/lib/processes/process-identity.ts';

const DOMAIN = 'linux:here:pid:[1]';
const HONEST = { pid: 7, procStart: '99', status: 'idle', cwd: '/work', sessionId: 'c' };

function isListed(record: object): boolean {
  const parsed = parseStatusRecord(JSON.stringify(record), 0);
  return parsed !== null && isSession(parsed, 7, DOMAIN);
}

const LIES: Record<string, object> = {
  'another pid': { pid: 8 },
  'no pid': { pid: 'seven' },
  'another machine': { pidDomain: 'linux:there:pid:[1]' },
  'another pid namespace': { pidDomain: 'linux:here:pid:[2]' },
  'an unknown status': { status: 'asleep' },
  'no directory': { cwd: null },
  'a relative directory': { cwd: 'work' },
  'a supervisor of the client': { kind: 'daemon-worker' },
  'a conversation that moved away': { parkedJobId: 'job' },
};

it('FS4 an honest record is a session; each lie alone makes it none', () => {
  expect(isListed(HONEST)).toBe(true);
  expect(isListed({ ...HONEST, pidDomain: DOMAIN, kind: 'bg' })).toBe(true);
  const believed = Object.keys(LIES).filter((name) => isListed({ ...HONEST, ...LIES[name] }));
  expect(believed).toEqual([]);
});

it('FS67 a record that names no status yet is of a session that starts, for a minute', () => {
  const record = { ...HONEST, status: undefined, updatedAt: 1_000 };
  expect(isListed(record)).toBe(true);
  expect(isListed({ ...record, status: null })).toBe(true);
  const { reading = null } = parseStatusRecord(JSON.stringify(record), 0) ?? {};
  const stateAt = (nowMs: number) => assess({ ...NO_EVIDENCE, record: reading }, null, nowMs).state;
  expect([stateAt(1_000), stateAt(61_000), stateAt(61_001)]).toEqual([
    'starting',
    'starting',
    'running',
  ]);
  const printing = parseStatusRecord(JSON.stringify({ ...record, entrypoint: 'sdk-cli' }), 0);
  expect(printing?.reading.status).toBe('running');
});

it('FS4 any record is read without an error, and its times fit a date', () => {
  const key = fc.constantFrom('name', 'cwd', 'startedAt', 'updatedAt', 'waitingFor', 'sessionId');
  const fields = fc.dictionary(key, fc.anything(), { maxKeys: 6 });
  fc.assert(
    fc.property(fields, (lies) => {
      let text: string;
      try {
        text = JSON.stringify({ ...HONEST, ...lies });
      } catch {
        return;
      }
      const record = parseStatusRecord(text, 0);
      if (record === null) return;
      for (const ms of [record.reading.changedAtMs, record.startedAtMs ?? 0]) {
        expect(() => new Date(ms).toISOString()).not.toThrow();
      }
    }),
    { seed: 23, numRuns: 500 },
  );
  fc.assert(
    fc.property(fc.string(), (text) => void parseStatusRecord(text, 0)),
    { seed: 23 },
  );
});

it('FS7 an activity line names model, context, tool and step; others are nothing', () => {
  const line = (message: object, more: object = {}) =>
    parseActivityLine(JSON.stringify({ type: 'assistant', message, ...more }));
  const call = (name: string, input: object) => [{ type: 'tool_use', name, input }];
  const usage = { input_tokens: 2, cache_read_input_tokens: 30, cache_creation_input_tokens: 400 };
  const todos = [
    { status: 'completed', content: 'Read' },
    { status: 'in_progress', content: 'Write tests', activeForm: 'Writing tests' },
  ];
  expect(line({ model: 'm', usage, content: call('Edit', { file_path: '/a.ts' }) })).toEqual({
    atMs: null,
    model: 'm',
    contextTokens: 432,
    call: { tool: 'Edit', subject: '/a.ts' },
    todo: undefined,
  });
  expect(line({ model: 'm', content: call('TodoWrite', { todos }) })?.todo).toBe('Writing tests');
  const done = todos.map((todo) => ({ ...todo, status: 'completed' }));
  expect(line({ model: 'm', content: call('TodoWrite', { todos: done }) })?.todo).toBeNull();
  expect(line({ model: 'm', content: [] }, { isSidechain: true })).toBeNull();
  expect(line({ model: '<synthetic>', content: [] })).toBeNull();
  fc.assert(
    fc.property(
      fc.anything(),
      (any) => void parseActivityLine(`"assistant"${JSON.stringify(any)}`),
    ),
    { seed: 23 },
  );
  fc.assert(
    fc.property(fc.jsonValue(), (content) => void line({ model: 'm', content, usage: content })),
    { seed: 23 },
  );
});

it('FS1 a pid is taken while any process has it, also one of another user', async () => {
  expect([isTaken(process.pid), isTaken(1)]).toEqual([true, true]);
  const child = spawn('true');
  await once(child, 'exit');
  expect(isTaken(child.pid ?? 0)).toBe(false);
});
