/** Sessions that Loopwatch did not start: real processes with records, transcripts and repositories. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { markOf } from '../../../server/lib/files/hostile-file.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { eventsOf } from '../../support/found/found-events.ts';
import type { FoundClient } from '../../support/found/found-client.ts';
import { find, FoundWorld, gone, listed } from '../../support/found/found-world.ts';
import { join as invited } from '../../support/daemon/invite-person.ts';
import { until } from '../../support/house/until.ts';
import type { World } from '../../support/daemon/world.ts';

let found: FoundWorld;
let world: World;
let config: string;

beforeEach(() => {
  found = new FoundWorld();
  ({ world, config } = found);
});

afterEach(async () => found[Symbol.asyncDispose]());

async function client(...given: Parameters<FoundWorld['client']>): Promise<FoundClient> {
  return found.client(...given);
}

describe('found sessions', () => {
  it('FS1 FS2 twelve appear with their states and go with their process', async () => {
    const before = await client();
    const { api } = await world.start();
    expect((await listed(api)).map(({ id }) => id)).toEqual([before.id]);
    const more = await Promise.all(Array.from({ length: 11 }, async () => client()));
    for (const each of more) expect(await find(api, each)).toMatchObject({ pid: each.pid });
    expect(await listed(api)).toHaveLength(12);

    await Promise.all(more.slice(0, 6).map(async (each) => each.leave()));
    await Promise.all(more.slice(6).map(async (each) => each.kill()));
    await gone(api, ...more);
    expect((await listed(api)).map(({ id }) => id)).toEqual([before.id]);
    const ends = (await eventsOf(api, 'found.ended')).map(({ data }) => data['how']);
    expect(ends.sort()).toEqual([
      ...Array.from({ length: 6 }, () => 'exited'),
      ...Array.from({ length: 5 }, () => 'killed'),
    ]);
    expect(await eventsOf(api, 'found.appeared')).toHaveLength(12);
  });

  it('FS1 records of both configuration directories count, and one process once', async () => {
    const { api } = await world.start();
    const other = await found.clientOf(join(world.root, 'user', '.claude'));
    await find(api, other);
    const twice = await client({ pid: other.pid, procStart: other.startedAt });
    twice.writeRaw('{}');
    const directory = join(config, 'sessions');
    writeFileSync(join(directory, `${other.pid}.json`), readFileSync(other.path));
    const last = await client();
    await find(api, last);
    expect((await listed(api)).map(({ id }) => id).sort()).toEqual([other.id, last.id].sort());
  });

  it('FS2 FS6 FS10 its state, its wait and its conversation change as its record does', async () => {
    const { api } = await world.start();
    const one = await client({ status: 'busy' });
    expect((await find(api, one)).agent).toMatchObject({ state: 'working', witness: 'record' });
    one.write({ status: 'waiting', waitingFor: 'permission prompt', statusUpdatedAt: Date.now() });
    const state = async () => (await find(api, one)).agent;
    await until('the wait', async () => (await state()).state === 'waiting');
    expect(await state()).toMatchObject({ cause: 'permission', witness: 'record' });
    one.write({ status: 'idle', sessionId: 'another' });
    await until(
      'the other conversation',
      async () => (await find(api, one)).conversation === 'another',
    );
    const changes = await eventsOf(api, 'found.changed');
    expect(changes.map(({ data }) => (data['agent'] as { state: string }).state)).toEqual([
      'waiting',
      'ready',
    ]);
    expect(changes.map(({ subject }) => subject)).toEqual(
      changes.map(() => ({ kind: 'found', id: one.id })),
    );
  });

  it('FS3 what runs in a session of Loopwatch is not listed', async () => {
    world.environment['LOOPWATCH_STAND_IN_RECORD'] = '1';
    world.environment['LOOPWATCH_PASS_ENV'] = 'LOOPWATCH_STAND_IN_RECORD';
    const { api } = await world.start();
    await api.openSession('web', world.taskDir('one', { status_record: true, steps: [] }));
    await api.send('POST', '/api/sessions/web/input', { text: 'claude', submit: true });
    await until('its agent', async () => {
      const { body } = await api.get('/api/sessions/web');
      return body['agent'] !== null;
    });
    const records = join(config, 'sessions');
    await until('its record', () => existsSync(records) && readdirSync(records).length === 1);
    const marked = await client({}, { LOOPWATCH_TERMINAL_ID: 'of another daemon' });
    const one = await client();
    await find(api, one);
    expect((await listed(api)).map(({ id }) => id)).toEqual([one.id]);
    expect(marked.isRunning).toBe(true);
  });

  it('FS4 records that lie list nothing', async () => {
    const { api } = await world.start();
    const dead = await client();
    await dead.kill();
    await client({ procStart: '1' });
    await client({ pid: 1 });
    await client({ pidDomain: 'linux:another-machine:pid:[4026531836]' });
    await client({ kind: 'daemon' });
    await client({ cwd: 'not/absolute' });
    await client({ parkedJobId: 'job' });
    await client({ status: 'sleeping' });
    const huge = await client({ name: 'x'.repeat(100_000) });
    const list = await client({ kind: 'daemon' });
    list.writeRaw('[]');
    huge.write();
    const own = await client();
    writeFileSync(join(config, 'elsewhere.json'), readFileSync(own.path));
    await own.leave();
    symlinkSync(join(config, 'elsewhere.json'), own.path);
    const honest = await client();
    await find(api, honest);
    await until('no lie', async () => (await listed(api)).length === 1);
    expect((await listed(api)).map(({ id }) => id)).toEqual([honest.id]);
  });

  it('FS5 a record that is half written leaves the session as it was', async () => {
    const { api } = await world.start();
    const one = await client({ status: 'busy' });
    await find(api, one);
    one.writeRaw('{"pid": ');
    const other = await client();
    await find(api, other);
    expect((await find(api, one)).agent.state).toBe('working');
    one.write({ status: 'idle' });
    await until('the next record', async () => (await find(api, one)).agent.state === 'ready');
  });

  it('FS7 FS8 FS9 FS11 shows operators what it does and where, and viewers only where', async () => {
    const repository = join(world.root, 'shop');
    mkdirSync(join(repository, '.git'), { recursive: true });
    mkdirSync(join(repository, 'src'));
    writeFileSync(join(repository, '.git', 'HEAD'), 'ref: refs/heads/fix/prices\n');
    const { api } = await world.start();
    const tmux = { TMUX: '/tmp/tmux-1/default,12,0', TMUX_PANE: '%3' };
    const one = await client(
      { status: 'busy', cwd: join(repository, 'src'), name: 'prices' },
      tmux,
    );
    await find(api, one);
    const usage = { input_tokens: 10, cache_read_input_tokens: 3000, output_tokens: 7 };
    const content = [{ type: 'tool_use', name: 'Bash', input: { command: 'npm test' } }];
    const message = { id: 'm1', model: 'claude-opus', content, usage };
    one.say({ type: 'assistant', timestamp: new Date().toISOString(), message });
    await until('its transcript', async () => (await find(api, one)).transcript !== null);
    const seen = await find(api, one);
    expect(seen).toMatchObject({
      name: 'prices',
      project: repository,
      branch: 'fix/prices',
      place: 'tmux',
      tmux: { socket: '/tmp/tmux-1/default', pane: '%3' },
      transcript: { model: 'claude-opus', context_tokens: 3010, todo: null },
    });
    expect(seen.transcript?.call).toMatchObject({ tool: 'Bash', subject: 'npm test' });

    one.say({
      type: 'assistant',
      isApiErrorMessage: true,
      apiErrorStatus: 400,
      timestamp: new Date().toISOString(),
      message: { model: '<synthetic>', content: [{ type: 'text', text: 'secret error' }] },
    });
    one.write({ status: 'idle', statusUpdatedAt: Date.now() });
    await until('its error', async () => (await find(api, one)).agent.state === 'errored');
    expect((await find(api, one)).agent.detail).toContain('secret error');
    const { api: viewer } = await invited(api, 'Noor', 'viewer');
    const shown = (await viewer.get(`/api/found/${one.id}`)).body;
    expect(shown).toMatchObject({ project: repository, name: null, transcript: null });
    expect(shown['agent']).toMatchObject({ state: 'errored', detail: null });
    const everything = await viewer.get('/api/events?after=0&limit=1000');
    const inbox = await viewer.get('/api/attention?state=all');
    const read = JSON.stringify([everything.body, inbox.body, shown]);
    for (const secret of ['secret error', 'npm test']) expect(read).not.toContain(secret);
  });

  it('FS10 FS13 a restart of the daemon repeats and loses nothing', async () => {
    const first = await world.start();
    const statusUpdatedAt = Date.now() - 180_000;
    const waiting = { status: 'waiting', waitingFor: 'input needed', statusUpdatedAt };
    const [stays, leaves, dies] = [await client(waiting), await client(waiting), await client()];
    for (const each of [stays, leaves, dies]) await find(first.api, each);
    const open = async (api: ApiClient) =>
      ((await api.get('/api/attention')).body['items'] as { subject: { id: string } }[]).map(
        ({ subject }) => subject.id,
      );
    await until('their questions', async () => (await open(first.api)).length === 2);
    await first.daemon.close();
    await leaves.leave();
    await dies.kill();
    const { api } = await world.start();
    expect((await listed(api)).map(({ id }) => id)).toEqual([stays.id]);
    expect(await open(api)).toEqual([stays.id]);
    const ends = (await eventsOf(api, 'found.ended')).map(({ subject, data }) => [
      subject.id,
      data['how'],
    ]);
    expect(new Map(ends as [string, string][])).toEqual(
      new Map([
        [leaves.id, 'exited'],
        [dies.id, 'killed'],
      ]),
    );
    expect(await eventsOf(api, 'found.appeared')).toHaveLength(3);
    stays.write({ status: 'busy', waitingFor: undefined, statusUpdatedAt: Date.now() });
    await until('an empty inbox', async () => (await open(api)).length === 0);
  });

  it('FS12 nothing is listed while it is off', async () => {
    world.environment['LOOPWATCH_FOUND'] = 'off';
    await client();
    const { api } = await world.start();
    expect((await api.get('/api/found')).body).toEqual({ is_on: false, sessions: [] });
    expect(await eventsOf(api, 'found.appeared')).toEqual([]);
  });

  it('FS14 what it uses is counted for it since it started, once', async () => {
    const { api } = await world.start();
    const one = await client({ status: 'busy' });
    const line = (id: string, at: number) => ({
      type: 'assistant',
      requestId: id,
      timestamp: new Date(at).toISOString(),
      message: { id, model: 'claude-opus', usage: { input_tokens: 5, output_tokens: 20 } },
    });
    one.say(line('old', Date.now() - 86_400_000), line('new', Date.now() + 1_000));
    one.say(line('new', Date.now() + 1_000));
    await find(api, one);
    one.write({ status: 'idle', statusUpdatedAt: Date.now() });
    await until('its tokens', async () => (await find(api, one)).usage.tokens !== null);
    expect((await find(api, one)).usage.tokens).toMatchObject({ input: 5, output: 20 });
    const { body } = await api.get('/api/usage?by=subject');
    expect(body['rows']).toMatchObject([{ key: `found:${one.id}` }]);
  });

  it('FS15 no file of the client changes', async () => {
    const one = await client({ status: 'busy' });
    one.say({ type: 'assistant', message: { model: 'm', content: [] } });
    const marks = () =>
      readdirSync(config, { recursive: true, encoding: 'utf8' })
        .sort()
        .map((name) => `${name} ${markOf(join(config, name)) ?? ''}`);
    const before = marks();
    const { api, daemon } = await world.start();
    await find(api, one);
    await daemon.close();
    expect(marks()).toEqual(before);
    expect(one.isRunning).toBe(true);
  });

  it('FS16 the shell lists them after the sessions of Loopwatch', async () => {
    await world.start();
    const one = await client({
      status: 'waiting',
      waitingFor: 'permission prompt',
      cwd: '/tmp/a\u001bb',
    });
    await until('its line', async () => {
      const { stdout } = await world.cli('session', 'ls', '--all');
      return stdout.includes(String(one.pid));
    });
    const { code, stdout } = await world.cli('session', 'ls', '--all');
    expect(code).toBe(0);
    expect(stdout).toContain('Waiting for a person: permission');
    expect(stdout).not.toContain('\u001b');
    const json = JSON.parse(
      (await world.cli('session', 'ls', '--all', '--json')).stdout,
    ) as object[];
    expect(json).toMatchObject([{ source: 'elsewhere', row: { id: one.id } }]);
    expect((await world.cli('session', 'ls', '--json')).stdout.trim()).toBe('[]');
  });
});
