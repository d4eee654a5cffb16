/** Found sessions continued in sessions of Loopwatch: real tmux, a script as the client. */
import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { eventsOf } from '../../support/found/found-events.ts';
import { expectListed, find, FoundWorld, gone, listed } from '../../support/found/found-world.ts';
import type { FoundClient } from '../../support/found/found-client.ts';
import { join as invited } from '../../support/daemon/invite-person.ts';
import { projectOf, ResumableClient } from '../../support/events/resumable-client.ts';
import { until } from '../../support/house/until.ts';

const SAID = { type: 'user', message: { content: 'hello' } };

async function resume(api: ApiClient, { id }: FoundClient, body: object = {}) {
  return api.send('POST', `/api/found/${id}/continue`, body);
}

async function why(api: ApiClient, { id }: FoundClient) {
  const { body } = await api.get(`/api/found/${id}/continue`);
  return [body['blocked'], body['why'], body['needs_stop']];
}

async function shows(api: ApiClient, session: string, text: string): Promise<void> {
  let lines: unknown;
  await until(
    `"${text}" in ${session}`,
    async () => {
      ({ lines } = (await api.get(`/api/sessions/${session}/screen`)).body);
      return JSON.stringify(lines).includes(text);
    },
    () => lines,
  );
}

it('FS46 FS47 FS50 one that has ended is continued once, in its directory, and is ours then', async () => {
  await using stage = new FoundWorld();
  const { world } = stage;
  const client = new ResumableClient(world);
  const cwd = projectOf(world, 'shop');
  const { api } = await world.start();
  const one = await stage.client({ cwd });
  one.say(SAID);
  await find(api, one);
  const refused = await resume(api, one);
  expect([refused.status, refused.body.error?.code]).toEqual([409, 'not_continuable']);
  expect(refused.body.error?.message).toContain('end it there');
  expect(client.calls).toEqual([]);
  await one.leave();
  await gone(api, one);

  expect(await why(api, one)).toEqual([null, null, false]);
  const both = await Promise.all([resume(api, one), resume(api, one)]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  const { body } = both.find(({ status }) => status === 201) ?? {};
  expect(body).toMatchObject({ name: 'shop', cwd, status: 'open' });
  await shows(api, 'shop', `resumed conversation-${one.pid}`);
  expect(client.calls).toHaveLength(1);
  expect(client.calls[0]).toMatch(new RegExp(`--resume conversation-${one.pid}$`));
  const again = await resume(api, one);
  expect(again.body.error?.details).toEqual({ reason: 'in_use', session: 'shop' });
  const other = await stage.client();
  await expectListed(api, other);
  const [event] = await eventsOf(api, 'session.continued');
  expect(event).toMatchObject({
    subject: { kind: 'session', id: 'shop' },
    data: { conversation: `conversation-${one.pid}`, how: 'resume', author: 'admin' },
  });
  // Once its terminal is closed, the conversation is free again.
  await api.send('DELETE', '/api/sessions/shop');
  await until('it is free', async () => (await why(api, one))[0] === null);
  const pid = await world.cli('session', 'continue', String(one.pid), 'second');
  expect([pid.code, pid.stdout]).toEqual([0, expect.stringContaining('second')]);
  await shows(api, 'second', 'resumed');
});

it('FS47 FS67 a client that continues it by hand holds the conversation before it names a status', async () => {
  await using stage = new FoundWorld();
  const { world } = stage;
  const client = new ResumableClient(world);
  const cwd = projectOf(world, 'shop');
  const { api } = await world.start();
  const one = await stage.client({ cwd, sessionId: 'shared' });
  one.say(SAID);
  await find(api, one);
  await one.leave();
  await gone(api, one);
  const other = await stage.client({ cwd, sessionId: 'shared', status: undefined });
  expect((await find(api, other)).agent).toMatchObject({ state: 'starting', witness: 'record' });
  expect((await why(api, one))[0]).toBe('in_use');
  expect((await resume(api, one)).status).toBe(409);
  other.write({ status: 'idle' });
  await until('its first status', async () => (await find(api, other)).agent.state === 'ready');
  expect(client.calls.filter((words) => words.includes('--resume'))).toEqual([]);
});

it('FS47 a client of the same conversation elsewhere holds it, also after a restart of the daemon', async () => {
  await using stage = new FoundWorld();
  const { world } = stage;
  const client = new ResumableClient(world);
  const cwd = projectOf(world, 'shop');
  const first = await world.start();
  const one = await stage.client({ cwd, sessionId: 'shared' });
  one.say(SAID);
  await find(first.api, one);
  await one.leave();
  await gone(first.api, one);
  const other = await stage.client({ cwd, sessionId: 'shared' });
  await find(first.api, other);
  expect(await why(first.api, one)).toEqual([
    'in_use',
    `its conversation is open in process ${other.pid}`,
    false,
  ]);
  expect((await resume(first.api, one)).status).toBe(409);
  await other.leave();
  await gone(first.api, other);
  expect((await resume(first.api, one)).status).toBe(201);
  await shows(first.api, 'shop', 'resumed');
  await first.daemon.close();
  const { api } = await world.start();
  expect((await why(api, one)).slice(0, 2)).toEqual([
    'in_use',
    'its conversation is open in session shop',
  ]);
  expect((await resume(api, one)).status).toBe(409);
  expect(client.calls.filter((words) => words.includes('--resume'))).toHaveLength(1);
});

it('FS48 one in the background is stopped only on request, and continued after its end', async () => {
  await using stage = new FoundWorld();
  const { world } = stage;
  const client = new ResumableClient(world);
  const cwd = projectOf(world, 'shop');
  const { api } = await world.start();
  const one = await stage.client({ cwd, kind: 'bg', jobId: 'a1b2' });
  one.say(SAID);
  expect(await find(api, one)).toMatchObject({ place: 'background', job: 'a1b2' });
  expect(await why(api, one)).toEqual([null, null, true]);
  const refused = await resume(api, one);
  expect(refused.body.error?.details).toEqual({ reason: 'needs_stop' });
  expect([one.isRunning, client.calls]).toEqual([true, []]);
  const { status, body } = await resume(api, one, { how: 'stop', name: 'taken' });
  expect([status, body['name']]).toEqual([201, 'taken']);
  expect(one.isRunning).toBe(false);
  await shows(api, 'taken', 'resumed');
  expect(client.calls[0]).toBe('stop a1b2');
  expect(await listed(api)).toEqual([]);
});

it('FS49 each obstacle has its reason, and nothing is started', async () => {
  await using stage = new FoundWorld();
  const { world } = stage;
  const client = new ResumableClient(world);
  const cwd = projectOf(world, 'shop');
  const { api } = await world.start();
  const background = { cwd, kind: 'bg', jobId: 'a1' };
  const refused = async (one: FoundClient, body: object = { how: 'stop' }) => {
    const answer = await resume(api, one, body);
    expect([answer.status, answer.body.error?.code]).toEqual([409, 'not_continuable']);
    const { reason } = answer.body.error?.details as { reason: string };
    expect((await why(api, one))[0]).toBe(reason);
    return reason;
  };
  const busy = await stage.client({ ...background, status: 'busy' });
  const asks = await stage.client({
    ...background,
    status: 'waiting',
    waitingFor: 'permission prompt',
  });
  const shell = await stage.client({ ...background, status: 'shell' });
  const nameless = await stage.client({ ...background, jobId: '--help' });
  const silent = await stage.client({ cwd });
  const lost = await stage.client({ cwd: projectOf(world, 'lost') });
  const outside = await stage.client({ cwd: world.root });
  const odd = await stage.client({ cwd, sessionId: '--help' });
  const all = [busy, asks, shell, nameless, silent, lost, outside, odd];
  for (const each of all.slice(0, 4)) each.say(SAID);
  lost.say(SAID);
  outside.say(SAID);
  await expectListed(api, ...all);
  for (const each of [silent, lost, outside, odd]) await each.leave();
  await gone(api, silent, lost, outside, odd);
  rmSync(projectOf(world, 'lost'), { recursive: true });
  expect(await refused(busy)).toBe('working');
  expect(await refused(asks)).toBe('waiting');
  expect(await refused(shell)).toBe('working');
  expect(await refused(nameless)).toBe('no_stop');
  expect(await refused(silent)).toBe('conversation_unknown');
  expect(await refused(odd)).toBe('conversation_unknown');
  expect(await refused(lost)).toBe('directory_gone');
  expect(await refused(outside)).toBe('outside_roots');
  expect((await api.send('POST', '/api/found/1-1/continue', {})).status).toBe(404);
  const { api: viewer } = await invited(api, 'Noor', 'viewer');
  expect((await viewer.get(`/api/found/${silent.id}/continue`)).status).toBe(403);
  expect((await resume(viewer, silent)).status).toBe(403);
  expect(client.calls).toEqual([]);
  expect((await api.get('/api/sessions')).body['sessions']).toEqual([]);
});

it('FS49 a client without background sessions is never asked to stop one', async () => {
  await using stage = new FoundWorld();
  const { world } = stage;
  const client = new ResumableClient(world, '2.0.76');
  const { api } = await world.start();
  const one = await stage.client({ cwd: projectOf(world, 'shop'), kind: 'bg', jobId: 'a1' });
  one.say(SAID);
  await find(api, one);
  const message =
    'the installed client 2.0.76 has no background sessions; they need 2.1.197 or newer';
  expect(await why(api, one)).toEqual(['no_stop', message, false]);
  expect((await resume(api, one, { how: 'stop' })).status).toBe(409);
  expect((await resume(api, one, { how: 'attach' })).status).toBe(409);
  expect([one.isRunning, client.calls]).toEqual([true, []]);
});

it('FS53 one in the background is shown in a terminal of ours on request', async () => {
  await using stage = new FoundWorld();
  const { world } = stage;
  new ResumableClient(world);
  const { api } = await world.start();
  const one = await stage.client({
    cwd: projectOf(world, 'shop'),
    kind: 'bg',
    jobId: 'a1b2',
    status: 'busy',
  });
  await find(api, one);
  const { status, body } = await resume(api, one, { how: 'attach' });
  expect([status, body['name']]).toEqual([201, 'shop']);
  await shows(api, 'shop', 'attached to a1b2');
  expect(one.isRunning).toBe(true);
  const plain = await stage.client({ cwd: projectOf(world, 'shop') });
  await find(api, plain);
  const refused = await resume(api, plain, { how: 'attach' });
  expect(refused.body.error?.message).toContain('does not run in the background');
});

it('FS50 a loop starts in the continued session, in the client that is open there', async () => {
  await using stage = new FoundWorld();
  const { world } = stage;
  const cwd = world.taskDir('shop', { steps: [] });
  const { api } = await world.start();
  const one = await stage.client({ cwd });
  one.say(SAID);
  await find(api, one);
  await one.leave();
  await gone(api, one);
  expect((await resume(api, one)).status).toBe(201);
  let answer: unknown;
  await until(
    'a loop',
    async () => {
      const { status, body } = await api.send('POST', '/api/sessions/shop/task-auto', {
        taskDir: cwd,
      });
      answer = body;
      return status === 201;
    },
    () => answer,
  );
  expect((await api.get('/api/sessions/shop')).body['owner']).toBe('auto');
});
