/** Turns of a headless conversation, each a real process: its reports, its end, what is left. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { TURN_VARIABLE, processesOfTurn } from '../../../server/agents/headless/turn-processes.ts';
import { isAlive } from '../../../server/lib/processes/process-identity.ts';
import { Talk, TurnRecorder } from '../../support/terminals/talk.ts';
import { until } from '../../support/house/until.ts';

const KIB = 1024;

it('HC1, HC15 a conversation is continued by its id, with any beginning of the message', async () => {
  using talk = new Talk();
  const first = await talk.say('- begin\nstand-in: say one\nstand-in: turn 2 say two');
  expect(first).toMatchObject({ ok: true, text: 'one', costUsd: 0.0064 });
  const second = await talk.say('--go on', { conversationId: first.conversationId });
  expect(second).toMatchObject({ ok: true, text: 'two', conversationId: first.conversationId });
  expect(talk.calls()[1]?.slice(0, 4)).toEqual(['-r', first.conversationId, '-p', '\n--go on']);
  // The client's own count covers the whole conversation.
  expect(second.costUsd).toBeCloseTo(0.0064);
});

it('HC15 a message too large for an argument arrives', async () => {
  using talk = new Talk();
  const images = [{ media_type: 'image/png', base64: 'AAAA' }] as const;
  expect(await talk.say(`stand-in: say yes\n${'x'.repeat(300 * KIB)}`)).toMatchObject({ ok: true });
  expect(await talk.say('stand-in: say seen', { images })).toMatchObject({ text: 'seen' });
});

it('HC2, HC3 the events of a turn arrive line by line, each with the offset after its line', async () => {
  using talk = new Talk();
  const request = talk.request(
    'stand-in: write a/b.txt some text\nstand-in: deny WebFetch\nstand-in: say done',
  );
  const { recorder } = talk.start(request);
  const outcome = await recorder.outcome();
  expect(recorder.all.map(({ kind }) => kind)).toEqual([
    'init',
    'tool_use',
    'tool_result',
    'tool_use',
    'denied',
    'tool_result',
    'text',
    'result',
  ]);
  expect(outcome).toMatchObject({ ok: true, denials: [{ tool: 'WebFetch' }] });
  expect(readFileSync(join(talk.cwd, 'a/b.txt'), 'utf8')).toBe('some text\n');
  const bytes = readFileSync(join(request.directory, 'stdout.ndjson'));
  expect(recorder.lines.map(({ at }) => at.line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(recorder.lines.every(({ at }) => bytes[at.offset - 1] === 0x0a)).toBe(true);
});

it('HC8, HC18 output goes to private files, and every process carries the id of the turn', async () => {
  using talk = new Talk();
  const request = talk.request('stand-in: hang');
  const { turn, recorder } = talk.start(request);
  await recorder.heard('init');
  expect(statSync(request.directory).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(request.directory)) {
    expect([name, statSync(join(request.directory, name)).mode & 0o777]).toEqual([name, 0o600]);
  }
  expect(processesOfTurn(request.id)).toEqual([recorder.identity]);
  const environment = readFileSync(`/proc/${recorder.identity?.pid}/environ`, 'utf8').split('\0');
  expect(environment).toContain(`${TURN_VARIABLE}=${request.id}`);
  await turn.kill();
});

it('HC17 a flood on either output blocks nothing', async () => {
  using talk = new Talk();
  const huge = [1024, 5 * 1024].map((kib) => `stand-in: huge ${kib * KIB}`);
  const message = ['stand-in: stderr 1048576', ...huge, 'stand-in: say through'].join('\n');
  const { recorder } = talk.start(talk.request(message));
  expect(await recorder.outcome()).toMatchObject({ ok: true, text: 'through' });
  const lengths = recorder.all.map((event) => (event.kind === 'text' ? event.text.length : 0));
  expect(lengths).toEqual([0, 1024 * KIB, 5 * 1024 * KIB, 7, 0]);
});

it.each([
  ['cut', 'crashed', 'heard'],
  ['crash 7', 'crashed', 'heard'],
  ['overload', 'overloaded', 'heard'],
  ['auth-error', 'auth', 'heard'],
])('HC4, HC7 a turn that ends with %s reports its error', async (step, error, delivery) => {
  using talk = new Talk();
  const outcome = await talk.say(`stand-in: say before\nstand-in: ${step}`);
  expect(outcome).toMatchObject({ ok: false, error, delivery });
});

it('HC5 a usage limit has its exact end', async () => {
  using talk = new Talk();
  const before = Math.floor(Date.now() / 1000);
  const outcome = await talk.say('stand-in: limit 3600');
  expect(outcome).toMatchObject({ ok: false, error: 'limit' });
  const until = outcome.ok ? null : outcome.until;
  expect((until ?? 0) / 1000 - before - 3600).toBeLessThan(60);
  expect(until).toBeGreaterThanOrEqual((before + 3600) * 1000);
});

it('HC4 a message to a conversation that the client does not know is not heard', async () => {
  using talk = new Talk();
  for (const conversationId of ['11111111-2222-4333-8444-555555555555', 'none']) {
    const outcome = await talk.say('hello', { conversationId });
    expect(outcome).toMatchObject({ ok: false, error: 'bad_session', delivery: 'not_heard' });
  }
});

it('HC9 nothing runs when the identity cannot be stored', async () => {
  using talk = new Talk();
  const request = talk.request('stand-in: say never');
  const recorder = new TurnRecorder();
  recorder.spawned = (identity) => {
    recorder.identity = identity;
    throw new Error('the disk is full');
  };
  expect(() => talk.start(request, recorder)).toThrow('the disk is full');
  await until('its gate is gone', () => recorder.identity !== null && !isAlive(recorder.identity));
  expect(existsSync(request.directory)).toBe(false);
  expect([talk.calls(), recorder.outcomes]).toEqual([[], []]);
});

it('HC9 a missing directory, and one of another turn, start nothing', () => {
  using talk = new Talk();
  const nowhere = talk.request('hello', { cwd: join(talk.root, 'nowhere') });
  expect(() => talk.start(nowhere)).toThrow('cannot start a process');
  expect(() => talk.start(talk.request('hello', { directory: talk.cwd }))).toThrow('EEXIST');
  expect(talk.calls()).toEqual([]);
});

it('HC7 a client that is not installed is not heard', async () => {
  using talk = new Talk();
  const conversations = talk.open({ command: ['no-such-client'] });
  const { recorder } = talk.start(talk.request('hello'), new TurnRecorder(), conversations);
  const outcome = await recorder.outcome();
  expect(outcome).toMatchObject({ ok: false, error: 'not_started', delivery: 'not_heard' });
  expect(outcome.ok ? '' : outcome.detail).toContain('no-such-client');
});

it.each(['', 'stand-in: deaf\n'])(
  'HC10 a client that stays after its result is ended, and the result is kept (%j)',
  async (deaf) => {
    using talk = new Talk();
    const message = `${deaf}stand-in: hang-after-result\nstand-in: say done`;
    const { recorder } = talk.start(talk.request(message));
    expect(await recorder.outcome()).toMatchObject({ ok: true, text: 'done' });
    expect(recorder.identity !== null && isAlive(recorder.identity)).toBe(false);
  },
);

it('HC19 while something runs in the background, the client may stay and continue', async () => {
  using talk = new Talk();
  const outcome = await talk.say('stand-in: background 700\nstand-in: say it builds');
  expect(outcome).toMatchObject({ ok: true, text: 'What ran in the background is done.' });
  expect(outcome.costUsd).toBeCloseTo(0.0128);
});

it('HC19 an endless background command does not keep the turn open', async () => {
  using talk = new Talk();
  const conversations = talk.open({ backgroundGraceMs: 300 });
  const request = talk.request('stand-in: background 600000\nstand-in: say it serves');
  const { recorder } = talk.start(request, new TurnRecorder(), conversations);
  expect(await recorder.outcome()).toMatchObject({ ok: true, text: 'it serves' });
});

it('HC11 an interrupted client ends on its own and says so', async () => {
  using talk = new Talk();
  const { turn, recorder } = talk.start(talk.request('stand-in: hang'));
  await recorder.heard('init');
  expect(await turn.interrupt()).toBe('none');
  expect(recorder.outcomes).toMatchObject([{ ok: false, error: 'interrupted', delivery: 'heard' }]);
  expect(await turn.interrupt()).toBe('already_gone');
});

it('HC11 a client that ignores signals is killed', async () => {
  using talk = new Talk();
  const { turn, recorder } = talk.start(
    talk.request('stand-in: deaf\nstand-in: say deaf\nstand-in: hang'),
  );
  await recorder.heard('text');
  expect(await turn.interrupt()).toBe('SIGKILL');
  expect(recorder.outcomes).toMatchObject([{ ok: false, error: 'interrupted' }]);
});

it.each(['hang', 'crash 3', 'say done'])(
  'HC20, TK21 processes that a turn left in a session of their own end with it (%s)',
  async (last) => {
    using talk = new Talk();
    const request = talk.request(`stand-in: spawn\nstand-in: say it runs\nstand-in: ${last}`);
    const { turn, recorder } = talk.start(request);
    await recorder.heard('text');
    const started = processesOfTurn(request.id);
    if (last === 'hang') {
      expect(started).toHaveLength(2);
      expect(await turn.kill()).toBe('SIGTERM');
    }
    await recorder.outcome();
    expect(processesOfTurn(request.id)).toEqual([]);
    expect(started.filter(isAlive)).toEqual([]);
  },
);

it('HC12 only what could not be stored is delivered again', async () => {
  using talk = new Talk();
  const recorder = new TurnRecorder();
  let refusals = 0;
  const refuse = () => {
    refusals += 1;
    throw new Error('the disk is full');
  };
  recorder.events = (events, at) => {
    if (refusals < 2 && recorder.lines.length === 1) refuse();
    recorder.lines.push({ events, at });
  };
  recorder.ended = (outcome) => {
    if (refusals < 4) refuse();
    recorder.outcomes.push(outcome);
  };
  talk.start(talk.request('stand-in: say one\nstand-in: tool Read x\nstand-in: say two'), recorder);
  expect(await recorder.outcome()).toMatchObject({ ok: true, text: 'two' });
  expect(recorder.all.map(({ kind }) => kind)).toEqual([
    'init',
    'text',
    'tool_use',
    'tool_result',
    'text',
    'result',
  ]);
  expect([refusals, recorder.outcomes.length]).toEqual([4, 1]);
});

it('HC21 a pid that was reused by another program is left alone', async () => {
  using talk = new Talk();
  const other = spawn('sleep', ['60'], { cwd: talk.cwd, detached: true });
  const identity = { pid: other.pid ?? 0, startedAt: 'another time' };
  for (const how of ['interrupt', 'kill'] as const) {
    const { turn, recorder } = talk.adopt({ ...talk.request(''), identity, offset: 0 });
    expect(await turn[how]()).toBe('already_gone');
    expect(recorder.outcomes).toMatchObject([{ error: 'interrupted', delivery: 'not_heard' }]);
  }
  expect([other.exitCode, other.signalCode]).toEqual([null, null]);
  other.kill('SIGKILL');
  expect(await once(other, 'exit')).toEqual([null, 'SIGKILL']);
});

it('HC13 a turn that left only its marker may have been heard', async () => {
  using talk = new Talk();
  const request = talk.request('stand-in: say x');
  const first = talk.start(request);
  await first.recorder.outcome();
  writeFileSync(join(request.directory, 'stdout.ndjson'), '');
  const { recorder } = talk.adopt({ ...request, identity: first.recorder.identity, offset: 0 });
  expect(await recorder.outcome()).toMatchObject({
    ok: false,
    error: 'crashed',
    delivery: 'unknown',
  });
});
