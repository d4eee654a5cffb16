/** Hooks where they arrive: the real relay before a real daemon that is asked, stopped and killed. */
import { expect, it } from 'vitest';
import type { AttentionItem } from '../../shared/attention.ts';
import {
  HookCapabilities,
  openHookCapabilities,
} from '../../server/agents/hooks/hook-capability.ts';
import type { ApiClient } from '../support/api-client.ts';
import { exampleCalls } from '../support/example-calls.ts';
import { HookListener } from '../support/hook-listener.ts';
import { runRelay, writeRunFile } from '../support/hook-relay.ts';
import { openItem } from '../support/need-person.ts';
import { refusal } from '../support/refusal.ts';
import { until } from '../support/until.ts';
import { World } from '../support/world.ts';

const STOP = { hook_event_name: 'Stop', session_id: 'x' };
const ASK = { hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: { a: 1 } };
const SILENT = { code: 0, stdout: '', stderr: '' };

/** Answers the open item of the session; gives what a hook that asked must print. */
async function allow(api: ApiClient): Promise<object> {
  const id = await openItem(api, 'web');
  const { status } = await api.send('POST', `/api/attention/${id}/answer`, { decision: 'allow' });
  expect(status).toBe(200);
  const decision = { behavior: 'allow', updatedInput: ASK.tool_input };
  return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
}

it('HK7 a client that ends its hook closes the request', async () => {
  await using world = new World();
  const { api } = await world.start();
  await api.openSession('web', world.taskDir('one'));
  const relay = runRelay(world, writeRunFile(world), ASK);
  await openItem(api, 'web');
  relay.child.kill('SIGTERM');
  await relay.ended;
  await until('the daemon knows', async () => (await api.get('/api/attention')).body['open'] === 0);
});

it('HK7 after a restart of the daemon a held permission request is asked again', async () => {
  await using world = new World();
  const first = await world.start();
  await first.api.openSession('web', world.taskDir('one'));
  const relay = runRelay(world, writeRunFile(world), ASK);
  const before = await openItem(first.api, 'web');
  const started = performance.now();
  await first.daemon.close();
  expect(performance.now() - started).toBeLessThan(5_000);
  const { api } = await world.start();
  expect(await openItem(api, 'web')).not.toBe(before);
  const expected = await allow(api);
  expect(JSON.parse((await relay.ended).stdout)).toEqual(expected);
});

it('HK7 a daemon killed while it is asked is asked again when it is back', async () => {
  await using world = new World();
  const spawned = await world.spawn();
  await spawned.api.openSession('web', world.taskDir('one'));
  const runFile = writeRunFile(world);
  await spawned.kill();
  // In the place of the killed one, something that takes the request and never answers.
  const hanging = await HookListener.open(world, null);
  const relay = runRelay(world, runFile, ASK);
  await until('it was asked', () => hanging.heard[0]);
  await hanging[Symbol.asyncDispose]();
  const { api } = await world.start();
  const expected = await allow(api);
  expect(JSON.parse((await relay.ended).stdout)).toEqual(expected);
});

it('HK6 a forged capability is 401 and its hook prints nothing', async () => {
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
  const told = [];
  for (const secret of forged) {
    const headers = { authorization: `Bearer ${secret}` };
    told.push(refusal(await api.send('POST', '/api/hooks', ASK, headers)));
  }
  expect(told).toEqual(forged.map(() => '401 unauthorized'));
  const { tookMs, ...silent } = await runRelay(world, writeRunFile(world, forged[0]), ASK).ended;
  expect(silent).toEqual(SILENT);
  expect((await api.get('/api/attention?state=all')).body['items']).toEqual([]);
});

it('HK6 a capability is 403 on every other route, and the token is 403 on this one', async () => {
  await using world = new World();
  const { api } = await world.start();
  const secret = openHookCapabilities(world.home).issue({ session: 'web', runId: 'r1' });
  const told: Record<string, string> = {};
  for (const { name, method, path, body } of exampleCalls()) {
    const headers = { authorization: `Bearer ${secret}` };
    const answer = await api.send(method, path, body, headers);
    told[name] = answer.status === 200 ? '200' : refusal(answer);
  }
  const expected = Object.fromEntries(exampleCalls().map(({ name }) => [name, '403 role_too_low']));
  expect(told).toEqual({
    ...expected,
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
])('HK5 %s from a hook is taken and means nothing', async (_, payload) => {
  await using world = new World();
  const { api } = await world.start();
  await api.openSession('web', world.taskDir('one'));
  const { tookMs, ...told } = await runRelay(world, writeRunFile(world), payload).ended;
  expect(told).toEqual(SILENT);
  expect((await api.get('/api/attention?state=all')).body['items']).toEqual([]);
});

it('HK6 a hook of almost a megabyte arrives whole', async () => {
  await using world = new World();
  const { api } = await world.start();
  await api.openSession('web', world.taskDir('one'));
  const tool_input = { command: 'x'.repeat(1_000_000) };
  runRelay(world, writeRunFile(world), { ...ASK, tool_input });
  const id = await openItem(api, 'web');
  const item = (await api.get(`/api/attention/${id}`)).body as unknown as AttentionItem;
  expect(item.request?.input).toEqual(tool_input);
});
