/** What respawn needs a person for: in the inbox, and at the webhook of a rule that selects it. */
import { expect, it } from 'vitest';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { Respawning } from '../../support/respawn/respawning.ts';
import { COMMIT, SAY, stageAgent, startAgent } from '../../support/terminals/talking-agent.ts';
import { openShell, typeInto } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { type ReceivedBody, WebhookReceiver } from '../../support/alerts/webhook-receiver.ts';
import { World } from '../../support/daemon/world.ts';

const RULES = [
  { name: 'no progress', types: ['respawn.blocked'], reasons: ['circuit_open'] },
  { name: 'inbox', types: ['attention.*'], reasons: ['no_progress'] },
  { name: 'cycles', types: ['respawn.cycle_done'], subjects: ['respawn:web'] },
];

async function inbox(api: ApiClient): Promise<string[]> {
  const { items } = (await api.get('/api/attention')).body as unknown as {
    items: { reason: string }[];
  };
  return items.map(({ reason }) => reason);
}

function summary({ type, data }: ReceivedBody): unknown[] {
  const { reason, outcome } = (data as unknown as { data: Record<string, unknown> }).data;
  return [type, reason ?? outcome];
}

it('RS61 a rule selects the reasons of respawn, and each event arrives once with its inbox item', async () => {
  await using world = new World();
  await using receiver = await WebhookReceiver.open();
  const directory = stageAgent(world, { talk: [[SAY], [SAY, COMMIT]] });
  const { api } = await world.start();
  const target = { kind: 'webhook', url: receiver.url };
  for (const rule of RULES) {
    expect((await api.send('POST', '/api/alerts', { ...rule, target })).status).toBe(201);
  }
  const unknown = { ...RULES[0], reasons: ['circuit_opened'], target };
  expect((await api.send('POST', '/api/alerts', unknown)).status).toBe(400);
  await openShell(api, 'web', directory);
  const respawn = new Respawning(api);
  // The first block is another one, which no rule selects.
  await respawn.start({ breaker_after_cycles: 1, send_clear: false, send_init: false });
  await respawn.sees('no agent', ({ block }) => block?.reason === 'no_agent');
  expect(await inbox(api)).toEqual(['agent_not_started']);
  await startAgent(world, api);

  await respawn.sees('the circuit is open', ({ block }) => block?.reason === 'circuit_open');
  expect(await inbox(api)).toEqual(['no_progress']);
  await until(
    'three alerts',
    () => receiver.got.length >= 3,
    () => receiver.got.length,
  );
  const events = receiver.bodies.toSorted((one, other) => one.data.seq - other.data.seq);
  expect(events.map(summary)).toEqual([
    ['respawn.cycle_done', 'completed'],
    ['respawn.blocked', 'circuit_open'],
    ['attention.raised', 'no_progress'],
  ]);

  // Its turn leads to a commit: progress by anyone.
  await typeInto(api, 'web', 'By hand.');
  await until('the inbox is empty', async () => (await inbox(api)).length === 0);
  await respawn.cycles(2);
  await until('its end', () => receiver.bodies.filter(({ type }) => /done/.test(type)).length > 1);
  expect(new Set(receiver.ids).size).toBe(receiver.got.length);
});
