/** The test of the client, with the stand-in: all read right, not read right, and cut off. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type {
  ClientVersions,
  TestedClient,
} from '../../../shared/schema/agents/client-versions.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { NEWER, newerWorld, openNewer } from '../../support/agents/newer-client.ts';
import { until } from '../../support/house/until.ts';
import { tmuxIn } from '../../support/daemon/world-processes.ts';
import type { World } from '../../support/daemon/world.ts';

const STEPS = ['start', 'record', 'draft', 'work', 'stop', 'leave'];

async function versionsOf(api: ApiClient): Promise<ClientVersions['versions']> {
  const { body } = await api.get('/api/client-versions');
  return (body as unknown as ClientVersions).versions;
}

function scratchOf(world: World): string[] {
  const directory = join(world.home, 'client-tests');
  return existsSync(directory) ? readdirSync(directory) : [];
}

it('CF12 CF13 CF15 a newer client is tested once, without being asked, and leaves nothing', async () => {
  await using world = newerWorld();
  const { api } = await openNewer(world);
  const test = await until('its test', async () => (await versionsOf(api))[0]?.test ?? null);
  expect(test.steps.map(({ step, ok }) => [step, ok])).toEqual(STEPS.map((step) => [step, true]));
  await until('the scratch directory is gone', () => scratchOf(world).length === 0);
  expect(await api.event('client.tested')).toMatchObject({
    data: { version: NEWER, failed: null },
  });
  // It was tested, and is trusted no more for it.
  expect((await versionsOf(api))[0]?.trusted).toBe(false);
});

it('CF12 CF14 the step that is not read right is named, and the rest is not tried', async () => {
  await using world = newerWorld();
  world.writeClient(`${NEWER} (Claude Code)`, 'echo "Welcome"; sleep 1; exit 3');
  const { api } = await world.start();
  const answer = await api.send('POST', '/api/client-versions/test', undefined);
  const { version, test } = answer.body as unknown as TestedClient;
  expect(version).toBeNull();
  expect(test.steps).toEqual([
    { step: 'start', ok: false, detail: 'it has ended, or was not found' },
  ]);
  expect(scratchOf(world)).toEqual([]);
});

it('CF14 a client that is not installed is a failed test', async () => {
  await using world = newerWorld({ LOOPWATCH_CLAUDE: '/nowhere/claude' });
  const { api } = await world.start();
  const answer = await api.send('POST', '/api/client-versions/test', undefined);
  expect(answer.body).toMatchObject({ version: null, test: { steps: [{ ok: false }] } });
});

it('CF15 what a daemon that was killed in a test left behind is ended by the next one', async () => {
  await using world = newerWorld();
  const started = join(world.root, 'started');
  world.writeClient(`${NEWER} (Claude Code)`, `touch '${started}'; exec cat`);
  const first = await world.spawn();
  const cut = first.api.send('POST', '/api/client-versions/test', undefined).catch(() => null);
  await until('the client runs', () => existsSync(started));
  await first.kill();
  await cut;
  expect(scratchOf(world)).toHaveLength(1);
  expect(tmuxIn(world)).not.toEqual([]);
  await world.start();
  expect(scratchOf(world)).toEqual([]);
  await until('its terminal is gone', () => tmuxIn(world).length === 0);
});
