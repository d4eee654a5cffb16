/** When found sessions are looked for, what is left alone, and how often work is reported. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { eventsOf } from '../../support/found/found-events.ts';
import { expectListed, FoundWorld, listed } from '../../support/found/found-world.ts';
import { SkipClock } from '../../support/house/skip-clock.ts';
import { until } from '../../support/house/until.ts';

it('FS12 found sessions are listed without any setting', async () => {
  await using stage = new FoundWorld();
  expect(Object.keys(stage.world.environment).filter((name) => name.includes('FOUND'))).toEqual([]);
  const one = await stage.client();
  const { api } = await stage.world.start();
  await expectListed(api, one);
  expect((await api.get('/api/found')).body['is_on']).toBe(true);
});

it('FS12 nothing is listed without a home directory', async () => {
  await using stage = new FoundWorld();
  stage.world.environment['HOME'] = join(stage.world.root, 'nowhere');
  await stage.client();
  const { api } = await stage.world.start();
  expect((await api.get('/api/found')).body).toEqual({ is_on: false, sessions: [] });
});

it('FS19 sessions in or below a directory to look away from are not listed', async () => {
  await using stage = new FoundWorld();
  const { world } = stage;
  const aside = join(world.root, 'private');
  mkdirSync(join(aside, 'diary'), { recursive: true });
  const link = join(world.root, 'link');
  symlinkSync(aside, link);
  world.environment['LOOPWATCH_FOUND_IGNORE'] = `/nowhere:${link}/`;
  await stage.client({ cwd: aside, status: 'waiting', statusUpdatedAt: 1 });
  const below = await stage.client({ cwd: join(aside, 'diary') });
  const next = await stage.client({ cwd: `${aside}-not` });
  const { api } = await world.start();
  await expectListed(api, next);
  below.write({ status: 'busy' });
  const later = await stage.client();
  await expectListed(api, next, later);
  expect(await eventsOf(api, 'found.appeared')).toHaveLength(2);
  expect((await api.get('/api/attention?state=all')).body['items']).toEqual([]);
});

it('FS20 a transcript that grows is reported at most once a minute, and only while it works', async () => {
  await using stage = new FoundWorld();
  const clock = new SkipClock();
  const one = await stage.client({ status: 'busy', statusUpdatedAt: Date.now() });
  const step = (command: string) => {
    const content = [{ type: 'tool_use', name: 'Bash', input: { command } }];
    one.say({ type: 'assistant', message: { model: 'claude-opus', content } });
  };
  step('first');
  const { api } = await stage.world.start(clock);
  const changes = async () => (await eventsOf(api, 'found.changed')).length;
  const call = async () => (await listed(api))[0]?.transcript?.call?.subject;
  await expectListed(api, one);
  step('second');
  clock.skip(61_000);
  await until('the first report', async () => (await changes()) === 1);
  step('third');
  clock.skip(10_000);
  await until('the page reads it anyway', async () => (await call()) === 'third');
  expect(await changes()).toBe(1);
  step('fourth');
  clock.skip(51_000);
  await until('the second report', async () => (await changes()) === 2);
  one.write({ status: 'idle', statusUpdatedAt: clock.now() });
  await until('its end', async () => (await changes()) === 3);
  step('fifth');
  clock.skip(120_000);
  step('sixth');
  const other = await stage.client();
  await expectListed(api, one, other);
  expect(await changes()).toBe(3);
});

it('FS44 a crash at work is an item until it is dismissed, also for the next daemon', async () => {
  await using stage = new FoundWorld();
  const first = await stage.world.start();
  const works = await stage.client({ status: 'busy', cwd: '/tmp/shop' });
  const rests = await stage.client({ status: 'idle' });
  const leaves = await stage.client({ status: 'busy' });
  const later = await stage.client({ status: 'busy' });
  await expectListed(first.api, works, rests, leaves, later);
  await Promise.all([works.kill(), rests.kill(), leaves.leave()]);
  await expectListed(first.api, later);
  const open = async (api: ApiClient) =>
    (await api.get('/api/attention')).body['items'] as { id: string; title: string }[];
  const titles = ['The agent in shop crashed or was killed'];
  expect((await open(first.api)).map(({ title }) => title)).toEqual(titles);
  await first.daemon.close();
  await later.kill();
  const { api } = await stage.world.start();
  const [item] = await open(api);
  expect((await open(api)).map(({ title }) => title)).toEqual(titles);
  await api.send('POST', `/api/attention/${item?.id ?? ''}/dismiss`);
  expect(await open(api)).toEqual([]);
});
