/** Directories whose found sessions are ignored, as people choose them while the daemon runs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { eventsOf } from '../../support/found/found-events.ts';
import { expectListed, FoundWorld, listed } from '../../support/found/found-world.ts';
import { join as invited } from '../../support/daemon/invite-person.ts';
import { projectOf, ResumableClient } from '../../support/events/resumable-client.ts';
import { until } from '../../support/house/until.ts';

const LONG_AGO = Date.now() - 180_000;

const set = async (api: ApiClient, directory: string, ignored: boolean) =>
  api.send('PUT', '/api/found-ignored', { directory, ignored });

async function usedTokens(api: ApiClient): Promise<number> {
  const { body } = await api.get('/api/usage?by=subject');
  const rows = body['rows'] as { tokens: { output: number } | null }[];
  return rows.reduce((sum, { tokens }) => sum + (tokens?.output ?? 0), 0);
}

it('FS55 FS56 FS57 a project is ignored at once and for later daemons, and taken back', async () => {
  await using stage = new FoundWorld();
  const { world } = stage;
  const client = new ResumableClient(world);
  const cwd = projectOf(world, 'diary');
  const first = await world.start();
  const { api } = first;
  const asks = { status: 'waiting', waitingFor: 'permission prompt', statusUpdatedAt: LONG_AGO };
  const inside = await stage.client({ cwd: projectOf(world, 'diary/today'), ...asks });
  const ended = await stage.client({ cwd });
  const outside = await stage.client({ cwd: projectOf(world, 'diary-not') });
  const used = (id: string) => ({
    type: 'assistant',
    requestId: id,
    timestamp: new Date(Date.now() + 1_000).toISOString(),
    message: { id, model: 'm', usage: { input_tokens: 1, output_tokens: 20 }, content: [] },
  });
  inside.say(used('one'));
  ended.say({ type: 'user' });
  await expectListed(api, inside, ended, outside);
  await until('its tokens', async () => (await usedTokens(api)) === 20);
  const open = async () => (await api.get('/api/attention')).body['items'] as object[];
  await until('its item', async () => (await open()).length === 1);
  await ended.leave();
  await expectListed(api, inside, outside);
  client.agents([{ kind: 'background', id: 'd1', cwd, state: 'done' }]);

  inside.say(used('two'));
  const { status, body } = await set(api, `${cwd}/`, true);
  const [entry] = body['directories'] as object[];
  expect([status, entry]).toEqual([
    200,
    { directory: cwd, by: 'admin', at: expect.any(String) as string },
  ]);
  expect((await listed(api)).map(({ id }) => id)).toEqual([outside.id]);
  expect(await open()).toEqual([]);
  expect((await api.get(`/api/found/${inside.id}`)).status).toBe(404);
  expect((await api.get(`/api/found/${ended.id}/continue`)).status).toBe(404);
  expect((await api.get('/api/background')).body['sessions']).toEqual([]);
  const ends = await eventsOf(api, 'found.ended');
  expect(ends.at(-1)?.data).toMatchObject({ found: inside.id, how: 'ignored' });
  expect((await eventsOf(api, 'found.ignore_set')).map(({ data }) => data)).toEqual([
    { directory: cwd, ignored: true, author: 'admin' },
  ]);
  // One that moves there leaves the list too.
  outside.write({ cwd });
  const newer = await stage.client();
  await expectListed(api, newer);
  expect(await usedTokens(api)).toBe(20);
  await first.daemon.close();

  const { api: later } = await world.start();
  await expectListed(later, newer);
  expect(inside.isRunning).toBe(true);
  const again = await world.cli('session', 'ignore', cwd, '--off');
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('no directories')]);
  await expectListed(later, newer, inside, outside);
});

it('FS55 only an admin changes the list, operators see it, and settings stay', async () => {
  await using stage = new FoundWorld();
  const { world } = stage;
  world.environment['LOOPWATCH_FOUND_IGNORE'] = '/private';
  const { api } = await world.start();
  const { api: operator } = await invited(api, 'Kim', 'operator');
  const { api: viewer } = await invited(api, 'Noor', 'viewer');
  expect((await set(operator, '/x', true)).status).toBe(403);
  expect((await viewer.get('/api/found-ignored')).status).toBe(403);
  expect((await set(api, 'relative', true)).status).toBe(400);
  expect((await set(api, '/a\nb', true)).status).toBe(400);
  await set(api, '/x', true);
  await set(api, '/x', true);
  await set(api, '/private', false);
  expect((await operator.get('/api/found-ignored')).body['directories']).toEqual([
    { directory: '/private', by: null, at: null },
    { directory: '/x', by: 'admin', at: expect.any(String) as string },
  ]);
  expect(await eventsOf(api, 'found.ignore_set')).toHaveLength(1);
  const list = await world.cli('session', 'ignore');
  expect(list.stdout).toContain('LOOPWATCH_FOUND_IGNORE');
  expect((await world.cli('session', 'ignore', '-q')).stdout).toBe('/private\n/x\n');
});

it('FS58 a list that cannot be read ignores everything, until a person decides', async () => {
  await using stage = new FoundWorld();
  const { world } = stage;
  const first = await world.start();
  await first.daemon.close();
  writeFileSync(join(world.home, 'ignored-directories.json'), '[{');
  const one = await stage.client();
  const { api } = await world.start();
  expect(await listed(api)).toEqual([]);
  await set(api, '/', false);
  await expectListed(api, one);
});
