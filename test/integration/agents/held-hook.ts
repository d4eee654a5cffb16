/**
 * A waiting hook at its destination: the real relay with a real daemon that is asked, stopped and
 * killed.
 */
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { openHookCapabilities } from '../../../server/agents/hooks/hook-capability.ts';
import type { AttentionItem } from '../../../shared/schema/attention/attention.ts';
import type { TransportName } from '../../../shared/schema/transport-name.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { HookListener } from '../../support/agents/hook-listener.ts';
import { runRelay, writeRunFile } from '../../support/agents/hook-relay.ts';
import { openItem } from '../../support/agents/need-person.ts';
import { openRaw } from '../../support/transport/raw-http.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const STOP = { hook_event_name: 'Stop', padding: 'x'.repeat(200_000) };
const ASK = { hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: { a: 1 } };

export function testHeldHook(engine: TransportName): void {
  it('HK26 a client that ends its hook closes the request', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { api } = await world.start();
    await api.openSession('web', world.taskDir('one'));
    const relay = runRelay(world, writeRunFile(world), ASK);
    await openItem(api, 'web');
    relay.child.kill('SIGTERM');
    await relay.ended;
    await until(
      'the daemon knows',
      async () => (await api.get('/api/attention')).body['open'] === 0,
    );
  });

  it('HK25 after a restart of the daemon a held permission request is asked again', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const first = await world.start();
    await first.api.openSession('web', world.taskDir('one'));
    const relay = runRelay(world, writeRunFile(world), ASK);
    const before = await openItem(first.api, 'web');
    await first.daemon.close();
    const { api } = await world.start();
    expect(await openItem(api, 'web')).not.toBe(before);
    const expected = await allow(api);
    expect(JSON.parse((await relay.ended).stdout)).toEqual(expected);
  });

  it('HK25 a daemon killed during a permission request is asked again when it is back', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const spawned = await world.spawn();
    await spawned.api.openSession('web', world.taskDir('one'));
    const runFile = writeRunFile(world);
    await spawned.kill();
    // In place of the killed one, something that takes the request and never answers.
    const hanging = await HookListener.open(world, null);
    const relay = runRelay(world, runFile, ASK);
    await until('it was asked', () => hanging.received[0]);
    await hanging[Symbol.asyncDispose]();
    const { api } = await world.start();
    const expected = await allow(api);
    expect(JSON.parse((await relay.ended).stdout)).toEqual(expected);
  });

  it('WI13 a hook of almost a megabyte arrives whole', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { api } = await world.start();
    await api.openSession('web', world.taskDir('one'));
    const tool_input = { command: 'x'.repeat(1_000_000) };
    runRelay(world, writeRunFile(world), { ...ASK, tool_input });
    const id = await openItem(api, 'web');
    const item = (await api.get(`/api/attention/${id}`)).body as unknown as AttentionItem;
    expect(item.request?.input).toEqual(tool_input);
  });

  it('HK27 a session whose hooks are slow to arrive delays only its own', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { api } = await world.start();
    const slow = [sendHalf(api, world, 'web'), sendHalf(api, world, 'web')];
    const waiting = await until('a hook of that session waits', async () => {
      const hook = sendHook(api, world, 'web');
      for (let count = 0; count < 20; count += 1) await api.get('/healthz');
      return hook.isAnswered ? null : hook;
    });
    expect((await sendHook(api, world, 'other').answer).status).toBe(200);
    expect(waiting.isAnswered).toBe(false);
    for (const socket of slow) socket.destroy();
    expect((await waiting.answer).status).toBe(200);
  });
}

/** A hook of the session whose body is incomplete. */
function sendHalf(api: ApiClient, world: World, session: string): Socket {
  const capability = openHookCapabilities(world.home).issue({ session, runId: 'r1' });
  return openRaw(api.url, {
    method: 'POST',
    target: '/api/hooks',
    headers: [
      ['Host', new URL(api.url).host],
      ['Authorization', `Bearer ${capability}`],
      ['Content-Type', 'application/json'],
      ['Content-Length', '1000000'],
    ],
    body: '{',
  });
}

/** Sends an ordinary hook; `isAnswered` reports whether its answer has arrived. */
function sendHook(api: ApiClient, world: World, session: string) {
  const capability = openHookCapabilities(world.home).issue({ session, runId: 'r1' });
  const headers = { authorization: `Bearer ${capability}` };
  const hook = { isAnswered: false, answer: api.send('POST', '/api/hooks', STOP, headers) };
  void hook.answer.then(() => (hook.isAnswered = true));
  return hook;
}

/** Answers the open item of the session; returns what a hook that asked must print. */
async function allow(api: ApiClient): Promise<object> {
  const id = await openItem(api, 'web');
  const { status } = await api.send('POST', `/api/attention/${id}/answer`, { decision: 'allow' });
  expect(status).toBe(200);
  const decision = { behavior: 'allow', updatedInput: ASK.tool_input };
  return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
}
