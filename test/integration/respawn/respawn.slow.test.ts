/** Respawn with the stand-in in a real terminal: cycles, and what a person decides. */
import { expect, test } from 'vitest';
import type { Input } from '../../../shared/schema/model.ts';
import { join as joinAs } from '../../support/daemon/invite-person.ts';
import { LONG_DELAY_MS, QUICK, Respawning } from '../../support/respawn/respawning.ts';
import { SkipClock } from '../../support/house/skip-clock.ts';
import {
  openAgent,
  stageAgent,
  startAgent,
  textsReceived,
} from '../../support/terminals/talking-agent.ts';
import { openShell, typeInto } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';
import { WsClient } from '../../support/transport/ws-client.ts';

/** At once, since they mostly wait. */
const it = test.concurrent;

const STEPS = ['update', 'clear', 'init', 'kickstart'];

it('RS47 a session is kept going: whole cycles, each step delivered once', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openAgent(world, api);
  const respawn = new Respawning(api);
  expect((await respawn.start()).status).toBe(201);
  expect((await api.get('/api/sessions/web')).body['owner']).toBe('respawn');
  const done = await respawn.cycles(2);
  for (const { outcome, steps } of done) {
    expect(outcome).toBe('completed');
    expect(steps.map(({ step }) => step)).toEqual(STEPS);
  }
  const stopped = await respawn.order('stop');
  expect(stopped.body).toMatchObject({ state: 'stopped', stopped_by: 'person' });
  expect((await api.get('/api/sessions/web')).body['owner']).toBe(null);
  expect(textsReceived(world).slice(0, 8)).toEqual([...respawn.texts, ...respawn.texts]);
});

it('RS48 an auto loop and respawn exclude each other, and each refusal names the other', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openAgent(world, api);
  const respawn = new Respawning(api);
  await respawn.start();
  const loop = await api.startLoop('web', world.taskDir('two', { steps: [] }));
  expect(loop).toMatchObject({ status: 409, body: { error: { code: 'session_busy' } } });
  expect(loop.body.error?.message).toContain('respawn');
  await api.openSession('loop', world.taskDir('three'));
  const silence = { steps: [{ do: 'silence', ms: 600_000 }] };
  expect((await api.startLoop('loop', world.taskDir('three', silence))).status).toBe(201);
  const answer = await api.send('POST', '/api/sessions/loop/respawn/start', { config: QUICK });
  expect(answer).toMatchObject({ status: 409, body: { error: { code: 'session_busy' } } });
  expect(answer.body.error?.message).toContain('auto loop');
  expect((await api.get('/api/sessions/loop/respawn')).body).toMatchObject({ runs: 0 });
});

it('RS58 a start where only a shell runs says that an agent is missing, and continues with one', async () => {
  await using world = new World();
  const directory = stageAgent(world);
  const { api } = await world.start();
  await openShell(api, 'web', directory);
  const respawn = new Respawning(api);
  const started = await respawn.start();
  expect(started).toMatchObject({
    status: 201,
    body: { block: { reason: 'no_agent' }, next: 'Start the agent in this session.' },
  });
  const { stdout } = await world.cli('respawn', 'show', 'web');
  expect(stdout).toContain('web: Watching (No agent). Start the agent in this session.');
  const { items } = (await api.get('/api/attention')).body as unknown as {
    items: { reason: string; title: string }[];
  };
  expect(items).toMatchObject([
    { reason: 'agent_not_started', title: 'No agent runs, and respawn waits for one' },
  ]);
  await startAgent(world, api);
  await respawn.cycles(1);
  expect(textsReceived(world).slice(0, 4)).toEqual(respawn.texts);
  expect((await api.get('/api/attention')).body['items']).toEqual([]);
});

it('RS30, RS48 after a stop in the pause before a step nothing is typed', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openAgent(world, api);
  const respawn = new Respawning(api);
  await respawn.start({ inter_step_delay_ms: LONG_DELAY_MS });
  await respawn.reaches('sending_update');
  expect((await respawn.order('stop')).status).toBe(200);
  expect((await respawn.order('stop')).body.error).toMatchObject({ code: 'respawn_not_running' });
  // A second run sends its own steps, and only those.
  expect((await respawn.start()).status).toBe(201);
  const cycles = await respawn.cycles(2);
  expect(textsReceived(world).slice(0, 4)).toEqual(respawn.texts);
  expect(cycles.at(-1)).toMatchObject({ outcome: 'stopped', steps: [] });
});

it('RS29 a pause sends nothing, and the rest of the cycle follows when it is resumed', async () => {
  await using world = new World();
  const clock = new SkipClock();
  const { api } = await world.start(clock);
  await openAgent(world, api);
  const respawn = new Respawning(api);
  await respawn.startBeforeClear();
  expect((await respawn.order('pause')).body).toMatchObject({ paused: true, timers: [] });
  const heard = textsReceived(world);
  expect(heard).toEqual(respawn.texts.slice(0, 1));
  // What the agent reports meanwhile continues nothing.
  await typeInto(api, 'web', 'By hand.');
  await until('it has worked', () => textsReceived(world).length === 2);
  expect((await respawn.view()).state).toBe('sending_clear');
  await respawn.configure(QUICK);
  expect((await respawn.order('resume')).body).toMatchObject({ paused: false });
  clock.skip(LONG_DELAY_MS);
  await respawn.cycles(1);
  expect(textsReceived(world)).toEqual([...heard, 'By hand.', ...respawn.texts.slice(1)]);
});

it('RS49 a session that is closed takes its respawn with it', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openAgent(world, api);
  const respawn = new Respawning(api);
  await respawn.start();
  await respawn.reaches('sending_clear', 'waiting_clear');
  await api.send('DELETE', '/api/sessions/web');
  await until('it is gone', async () => (await respawn.answer()).status === 404);
  expect((await api.get('/api/respawn')).body).toEqual({ respawns: [] });
  // A session of the same name begins with nothing.
  await api.openSession('web', world.taskDir('one'));
  expect((await respawn.answer()).body).toMatchObject({ runs: 0, cycles: [], actions: [] });
  await startAgent(world, api);
  expect((await respawn.start()).status).toBe(201);
});

it('RS33 an invalid configuration is refused with its field, and changes nothing', async () => {
  await using world = new World();
  const { api } = await world.start();
  await api.openSession('web', world.taskDir('one'));
  const respawn = new Respawning(api);
  const path = '/api/sessions/web/respawn/config';
  const before = (await api.get(path)).body;
  const wrong: [object, string][] = [
    [{ idle_timeout_ms: 999 }, 'idle_timeout_ms'],
    [{ breaker_after_cycles: 0 }, 'breaker_after_cycles'],
    [{ update_prompt: ' ' }, 'update_prompt'],
    [{ idle_check_model: '--help' }, 'idle_check_model'],
    [{ adaptive_min_ms: 30_000, adaptive_max_ms: 5_000 }, 'adaptive_max_ms'],
    [{ idel_timeout_ms: 5_000 }, 'idel_timeout_ms'],
  ];
  for (const [change, field] of wrong) {
    for (const answer of [
      await api.send('PUT', path, change),
      await api.send('POST', '/api/sessions/web/respawn/start', { config: change }),
    ]) {
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_body' } } });
      expect(JSON.stringify(answer.body)).toContain(field);
    }
  }
  expect((await api.send('PUT', path, { enabled: false })).status).toBe(200);
  expect((await api.send('POST', '/api/sessions/web/respawn/start', {})).body.error).toMatchObject({
    code: 'invalid_body',
  });
  expect((await api.get(path)).body).toEqual({ ...before, enabled: false });
  expect((await respawn.view()).runs).toBe(0);
});

it('RS48 while a person has the keys of the terminal it neither starts nor sends', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openAgent(world, api);
  const respawn = new Respawning(api);
  const client = await WsClient.connect(api);
  client.send({ type: 'attach', session: 'web', cols: 120, rows: 40 });
  expect(await client.next('attached')).toMatchObject({ control: true });
  const refused = await respawn.start();
  expect(refused).toMatchObject({ status: 409, body: { error: { code: 'session_busy' } } });
  expect(refused.body.error?.message).toContain('detach');
  client.socket.terminate();
  // It must not begin before the keys are taken again, however slow this is.
  const slow = { no_output_timeout_ms: LONG_DELAY_MS, completion_confirm_ms: LONG_DELAY_MS };
  await until('it starts', async () => (await respawn.start(slow)).status === 201);
  const again = await WsClient.connect(api);
  again.send({ type: 'attach', session: 'web', cols: 120, rows: 40 });
  await again.next('attached');
  await until('it waits', async () => (await respawn.view()).block?.reason === 'keys_taken');
  const { inputs } = (await api.get('/api/sessions/web/inputs')).body as unknown as {
    inputs: Input[];
  };
  expect(inputs.filter(({ source }) => source === 'daemon')).toEqual([]);
  await respawn.configure(QUICK);
  again.socket.terminate();
  await until('a cycle begins', async () => (await respawn.view()).cycle === 1);
});

it('RS62 while a person has the keys of a terminal no auto loop starts there', async () => {
  await using world = new World();
  const { api } = await world.start();
  const silence = { steps: [{ do: 'silence', ms: 600_000 }] };
  const directory = world.taskDir('one', silence);
  await openShell(api, 'web', directory);
  const ada = await joinAs(api, 'Ada', 'operator');
  const client = await WsClient.connect(ada.api);
  client.send({ type: 'attach', session: 'web', cols: 120, rows: 40 });
  expect(await client.next('attached')).toMatchObject({ control: true });
  const refused = await api.startLoop('web', directory);
  expect(refused).toMatchObject({ status: 409, body: { error: { code: 'session_busy' } } });
  expect(refused.body.error?.message).toBe('Ada is typing in web; detach first');
  expect((await api.get('/api/sessions/web')).body['owner']).toBe(null);
  client.socket.terminate();
  await until('it starts', async () => (await api.startLoop('web', directory)).status === 201);
});

it('RS48 a viewer reads it and changes nothing', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openAgent(world, api);
  const viewer = await joinAs(api, 'Ada', 'viewer');
  const respawn = new Respawning(viewer.api);
  expect((await respawn.start()).status).toBe(403);
  for (const order of ['stop', 'pause', 'resume']) {
    expect((await respawn.order(order)).status).toBe(403);
  }
  const path = '/api/sessions/web/respawn';
  expect((await viewer.api.send('PUT', `${path}/config`, {})).status).toBe(403);
  expect((await viewer.api.send('POST', `${path}/checks`, { check: 'idle' })).status).toBe(403);
  expect((await respawn.answer()).status).toBe(200);
  expect((await respawn.view()).runs).toBe(0);
});
