/** Who may call the hook route, and with which bodies. */
import { expect, it } from 'vitest';
import {
  HookCapabilities,
  openHookCapabilities,
} from '../../../server/agents/hooks/hook-capability.ts';
import { exampleCalls } from '../../support/house/example-calls.ts';
import { runRelay, writeRunFile } from '../../support/agents/hook-relay.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { World } from '../../support/daemon/world.ts';

const STOP = { hook_event_name: 'Stop', session_id: 'x' };
const ASK = { hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: { a: 1 } };
const SILENT = { code: 0, stdout: '', stderr: '' };

it('HK24 a forged capability is 401 and its hook prints nothing', async () => {
  await using world = new World();
  const { api } = await world.start();
  await api.openSession('web', world.taskDir('one'));
  const real = openHookCapabilities(world.home).issue({ session: 'web', runId: 'r1' });
  const forged = [
    new HookCapabilities('x'.repeat(43)).issue({ session: 'web', runId: 'r1' }),
    real.replace('web', 'wed'),
    real.replace('.r1.', '.r2.'),
    real.slice(0, -1),
    `${real}A`,
  ];
  const refusals = [];
  for (const secret of forged) {
    const headers = { authorization: `Bearer ${secret}` };
    refusals.push(refusal(await api.send('POST', '/api/hooks', ASK, headers)));
  }
  expect(refusals).toEqual(forged.map(() => '401 unauthorized'));
  const silent = await runRelay(world, writeRunFile(world, forged[0]), ASK).ended;
  expect(silent).toEqual(SILENT);
  expect((await api.get('/api/attention?state=all')).body['items']).toEqual([]);
});

it('HK24 a capability is 403 on every other route, and the token is 403 on this one', async () => {
  await using world = new World();
  const { api } = await world.start();
  const secret = openHookCapabilities(world.home).issue({ session: 'web', runId: 'r1' });
  const refusals: Record<string, string> = {};
  for (const { name, method, path, body } of exampleCalls()) {
    const headers = { authorization: `Bearer ${secret}` };
    const answer = await api.send(method, path, body, headers);
    refusals[name] = answer.status === 200 ? '200' : refusal(answer);
  }
  const expected = Object.fromEntries(exampleCalls().map(({ name }) => [name, '403 role_too_low']));
  expect(refusals).toEqual({
    ...expected,
    // Open to anyone who has what they ask for.
    acknowledgeByLink: '403 alert_link_invalid',
    answerByNotification: '403 push_ticket_invalid',
    health: '200',
    login: '401 invalid_login_code',
    receiveHook: '200',
  });
  const headers = { authorization: `Bearer ${secret}` };
  expect({
    nowhere: refusal(await api.send('GET', '/api/nothing', undefined, headers)),
    token: refusal(await api.send('POST', '/api/hooks', STOP)),
    tokenAndNoJson: refusal(await api.send('POST', '/api/hooks', '{')),
  }).toEqual({
    nowhere: '403 role_too_low',
    token: '403 role_too_low',
    tokenAndNoJson: '403 role_too_low',
  });
});

it.each([
  ['a list', []],
  ['an object without an event', {}],
  ['an event of nobody’s', { hook_event_name: 'Nothing' }],
])('HK5 %s from a hook is accepted and has no effect', async (_, payload) => {
  await using world = new World();
  const { api } = await world.start();
  await api.openSession('web', world.taskDir('one'));
  const refusals = await runRelay(world, writeRunFile(world), payload).ended;
  expect(refusals).toEqual(SILENT);
  expect((await api.get('/api/attention?state=all')).body['items']).toEqual([]);
});
