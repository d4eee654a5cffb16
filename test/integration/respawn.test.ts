/** Respawn with the stand-in in a real terminal: cycles, a person's word, and daemons that die. */
import { expect, it } from 'vitest';
import type { RespawnView } from '../../shared/schema/respawn.ts';
import type { ApiClient } from '../support/api-client.ts';
import { openShell, typeInto } from '../support/terminal-view.ts';
import { until } from '../support/until.ts';
import { World } from '../support/world.ts';

/** As quick as the configuration allows, without models. */
const QUICK = {
  idle_check_enabled: false,
  plan_check_enabled: false,
  adaptive_confirm: false,
  idle_timeout_ms: 1_000,
  completion_confirm_ms: 1_000,
  no_output_timeout_ms: 5_000,
  inter_step_delay_ms: 100,
  breaker_after_cycles: 100,
  kickstart_prompt: 'Go on.',
};

async function openAgent(world: World, api: ApiClient): Promise<void> {
  await openShell(api, 'web', world.taskDir('one'));
  await typeInto(api, 'web', 'claude');
  await until('the agent is ready', async () => {
    const { body } = await api.get('/api/sessions/web');
    return (body['agent'] as { state: string } | null)?.state === 'ready';
  });
}

const viewOf = async (api: ApiClient) =>
  (await api.get('/api/sessions/web/respawn')).body as unknown as RespawnView;

it('RS47 a session is kept going: whole cycles, each step delivered once', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openAgent(world, api);
  const path = '/api/sessions/web/respawn/start';
  const started = await api.send('POST', path, { config: QUICK });
  expect(started.status).toBe(201);
  expect((await api.get('/api/sessions/web')).body['owner']).toBe('respawn');
  const { cycles } = await until('two cycles are over', async () => {
    const view = await viewOf(api);
    return view.cycles.filter(({ ended_at }) => ended_at !== null).length >= 2 ? view : null;
  });
  const done = cycles.filter(({ ended_at }) => ended_at !== null).slice(-2);
  for (const { outcome, steps } of done) {
    expect(outcome).toBe('completed');
    expect(steps.map(({ step }) => step)).toEqual(['update', 'clear', 'init', 'kickstart']);
  }
  const stopped = await api.send('POST', '/api/sessions/web/respawn/stop', {});
  expect(stopped.body).toMatchObject({ state: 'stopped', stopped_by: 'person' });
  expect((await api.get('/api/sessions/web')).body['owner']).toBe(null);
});
