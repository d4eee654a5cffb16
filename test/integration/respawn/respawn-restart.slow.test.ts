/** Respawn over the end of a daemon: one that is killed, and one whose database is restored. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LONG_DELAY_MS, QUICK, Respawning } from '../../support/respawn/respawning.ts';
import { SkipClock } from '../../support/house/skip-clock.ts';
import {
  agentState,
  openAgent,
  stageAgent,
  textsReceived,
} from '../../support/terminals/talking-agent.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

/** At once, since they mostly wait. */
const it = test.concurrent;

const GRACE_MS = 2 * 60_000;

it('RS32 a daemon killed in a cycle is followed by one that waits, then sends the remaining steps once', async () => {
  await using world = new World();
  stageAgent(world);
  const first = await world.spawn();
  await openAgent(world, first.api);
  const before = new Respawning(first.api);
  await before.startBeforeClear();
  await first.kill();
  const clock = new SkipClock();
  const { api } = await world.start(clock);
  const respawn = new Respawning(api);
  expect(await respawn.view()).toMatchObject({ state: 'sending_clear', cycle: 1, runs: 1 });
  expect((await api.get('/api/sessions/web')).body['owner']).toBe('respawn');
  clock.skip(LONG_DELAY_MS);
  await respawn.sees('it waits', ({ block }) => block?.reason === 'restored');
  expect(textsReceived(world)).toEqual(respawn.texts.slice(0, 1));
  await respawn.configure(QUICK);
  clock.skip(GRACE_MS);
  const [cycle] = await respawn.cycles(1);
  expect(cycle).toMatchObject({ cycle: 1, outcome: 'completed' });
  expect(textsReceived(world).slice(0, 4)).toEqual(respawn.texts);
});

it('RS30 a stop survives a daemon killed right after it', async () => {
  await using world = new World();
  stageAgent(world);
  const first = await world.spawn();
  await openAgent(world, first.api);
  const before = new Respawning(first.api);
  await before.startBeforeClear();
  expect((await before.order('stop')).status).toBe(200);
  await first.kill();
  const clock = new SkipClock();
  const { api } = await world.start(clock);
  const respawn = new Respawning(api);
  await until('the agent is seen', async () => (await agentState(api)) === 'ready');
  clock.skip(10 * GRACE_MS);
  expect(await respawn.view()).toMatchObject({ state: 'stopped', stopped_by: 'person' });
  expect((await api.get('/api/sessions/web')).body['owner']).toBe(null);
  // What a new run sends comes right after what was sent before the stop.
  await respawn.start();
  await respawn.cycles(2);
  expect(textsReceived(world).slice(0, 5)).toEqual([
    ...respawn.texts.slice(0, 1),
    ...respawn.texts,
  ]);
});

it('RS51 a restored database gives no right to type: respawn is stopped', async () => {
  await using world = new World();
  stageAgent(world);
  const { daemon, api: first } = await world.start();
  await openAgent(world, first);
  const before = new Respawning(first);
  await before.start({ inter_step_delay_ms: LONG_DELAY_MS });
  await before.reaches('sending_update');
  const file = join(world.root, 'backup.db');
  expect(await world.cli('backup', file)).toMatchObject({ code: 0, stderr: '' });
  await before.order('stop');
  await daemon.close();
  expect(await world.cli('restore', file)).toMatchObject({ code: 0, stderr: '' });
  const clock = new SkipClock();
  const { api } = await world.start(clock);
  const respawn = new Respawning(api);
  expect(await respawn.view()).toMatchObject({ state: 'stopped', stopped_by: 'restore', runs: 1 });
  expect((await api.get('/api/sessions/web')).body['owner']).toBe(null);
  await until('the agent is seen', async () => (await agentState(api)) === 'ready');
  clock.skip(10 * GRACE_MS);
  expect(textsReceived(world)).toEqual([]);
  expect((await respawn.start()).status).toBe(201);
  await respawn.completes();
  expect(respawn.endOf(textsReceived(world))).toEqual(respawn.texts);
});
