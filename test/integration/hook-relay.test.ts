/** Hooks on their way: the real relay, a real daemon, and what goes wrong between them. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  HookCapabilities,
  openHookCapabilities,
} from '../../server/agents/hooks/hook-capability.ts';
import type { HookReceiver } from '../../server/attention/hook-receiver.ts';
import { exampleCalls } from '../support/example-calls.ts';
import { runRelay, writeRunFile } from '../support/hook-relay.ts';
import { refusal } from '../support/refusal.ts';
import { until } from '../support/until.ts';
import { World } from '../support/world.ts';

const STOP = { hook_event_name: 'Stop', session_id: 'x', last_assistant_message: 'ü'.repeat(100) };
const ASK = { hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: {} };
const ALLOW = {
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } },
};
const SILENT = { code: 0, stdout: '', stderr: '' };

interface Heard {
  session: string;
  runId: string;
  payload: unknown;
  closed: AbortSignal;
  answer: (decision: object | null) => void;
}

/** Keeps what arrives; each waits until it is answered, when `hold` says so. */
function listener(hold: boolean): { heard: Heard[]; receiver: HookReceiver } {
  const heard: Heard[] = [];
  const receiver: HookReceiver = {
    receive: async (session, runId, payload, closed) =>
      new Promise((resolve) => {
        heard.push({ session, runId, payload, closed, answer: resolve });
        if (!hold) resolve(ALLOW);
      }),
  };
  return { heard, receiver };
}

it('HK5 a hook reaches the daemon with its run, and an ordinary one prints nothing', async () => {
  await using world = new World();
  const { heard, receiver } = listener(false);
  await world.start(undefined, { hookReceiver: receiver });
  const { tookMs, ...told } = await runRelay(world, writeRunFile(world), STOP).ended;
  expect(told).toEqual(SILENT);
  expect(heard.map(({ session, runId, payload }) => [session, runId, payload])).toEqual([
    ['web', 'r1', STOP],
  ]);
  expect(tookMs).toBeLessThan(2_000);
});

it('HK7 a permission request is held until it is answered, and the answer is printed', async () => {
  await using world = new World();
  const { heard, receiver } = listener(true);
  await world.start(undefined, { hookReceiver: receiver });
  const relay = runRelay(world, writeRunFile(world), ASK);
  const asked = await until('it was asked', () => heard[0]);
  asked.answer(ALLOW);
  const { stdout, code } = await relay.ended;
  expect({ code, stdout: JSON.parse(stdout) as unknown }).toEqual({ code: 0, stdout: ALLOW });
});

it('HK7 a permission request without a decision prints nothing', async () => {
  await using world = new World();
  await world.start();
  const { tookMs, ...told } = await runRelay(world, writeRunFile(world), ASK).ended;
  expect(told).toEqual(SILENT);
  expect(tookMs).toBeLessThan(2_000);
});

it('HK7 a client that ends its hook closes the request', async () => {
  await using world = new World();
  const { heard, receiver } = listener(true);
  await world.start(undefined, { hookReceiver: receiver });
  const relay = runRelay(world, writeRunFile(world), ASK);
  const asked = await until('it was asked', () => heard[0]);
  relay.child.kill('SIGTERM');
  await relay.ended;
  await until('the daemon knows', () => asked.closed.aborted);
});

it('HK7 after a restart of the daemon a held permission request is asked again', async () => {
  await using world = new World();
  const first = listener(true);
  const { daemon } = await world.start(undefined, { hookReceiver: first.receiver });
  const relay = runRelay(world, writeRunFile(world), ASK);
  await until('it was asked', () => first.heard.length > 0);
  const before = performance.now();
  await daemon.close();
  expect(performance.now() - before).toBeLessThan(5_000);
  expect(first.heard[0]?.closed.aborted).toBe(true);
  const second = listener(true);
  await world.start(undefined, { hookReceiver: second.receiver });
  const asked = await until('it was asked again', () => second.heard[0]);
  expect(asked.payload).toEqual(ASK);
  asked.answer(ALLOW);
  expect(JSON.parse((await relay.ended).stdout)).toEqual(ALLOW);
});

it('HK7 a daemon killed while it is asked is asked again when it is back', async () => {
  await using world = new World();
  const spawned = await world.spawn();
  const server = await hangingServer();
  const runFile = writeRunFile(world);
  await spawned.kill();
  // In the place of the killed one, something that takes the request and never answers.
  const { port } = server.address() as AddressInfo;
  const file = join(world.home, 'daemon.json');
  writeFileSync(file, JSON.stringify({ url: `http://127.0.0.1:${port}`, pid: process.pid }));
  const relay = runRelay(world, runFile, ASK);
  await once(server, 'request');
  server.closeAllConnections();
  server.close();
  const { heard, receiver } = listener(false);
  await world.start(undefined, { hookReceiver: receiver });
  expect(JSON.parse((await relay.ended).stdout)).toEqual(ALLOW);
  expect(heard.length).toBe(1);
});

it.each([
  ['no daemon', () => undefined],
  [
    'the file of a daemon that was killed',
    (world: World) =>
      // No process can have this pid: the kernel's limit is below.
      writeFileSync(
        join(world.home, 'daemon.json'),
        JSON.stringify({ url: 'http://127.0.0.1:1', pid: 2 ** 31 - 1 }),
      ),
  ],
  [
    'a port nobody listens on',
    (world: World) =>
      writeFileSync(
        join(world.home, 'daemon.json'),
        JSON.stringify({ url: 'http://127.0.0.1:1', pid: process.pid }),
      ),
  ],
  ['half a file', (world: World) => writeFileSync(join(world.home, 'daemon.json'), '{"url":"ht')],
])('HK5 with %s a hook ends at once, with 0 and without a word', async (_, prepare) => {
  await using world = new World();
  const { daemon } = await world.start();
  await daemon.close();
  prepare(world);
  const { tookMs, ...told } = await runRelay(world, writeRunFile(world), STOP).ended;
  expect(told).toEqual(SILENT);
  expect(tookMs).toBeLessThan(2_000);
});

it('HK5 a daemon that does not answer costs an ordinary hook two seconds at most', async () => {
  await using world = new World();
  const { daemon } = await world.start();
  await daemon.close();
  const server = await hangingServer();
  const { port } = server.address() as AddressInfo;
  const file = join(world.home, 'daemon.json');
  writeFileSync(file, JSON.stringify({ url: `http://127.0.0.1:${port}`, pid: process.pid }));
  const { tookMs, ...told } = await runRelay(world, writeRunFile(world), STOP).ended;
  server.closeAllConnections();
  server.close();
  expect(told).toEqual(SILENT);
  expect(tookMs).toBeLessThan(5_000);
});

it.each([
  ['nothing', ''],
  ['no JSON', '{'],
  ['null', 'null'],
  ['a list', '[]'],
  ['an object without an event', '{}'],
  ['more than a megabyte', JSON.stringify({ ...STOP, prompt: 'x'.repeat(1024 * 1024) })],
])('HK5 given %s a hook ends with 0 and without a word', async (_, payload) => {
  await using world = new World();
  const { heard, receiver } = listener(false);
  await world.start(undefined, { hookReceiver: receiver });
  const { tookMs, ...told } = await runRelay(world, writeRunFile(world), payload).ended;
  expect({ told, heard }).toEqual({ told: SILENT, heard: [] });
});

it('HK5 without its run file a hook ends with 0 and without a word', async () => {
  await using world = new World();
  const { heard, receiver } = listener(false);
  await world.start(undefined, { hookReceiver: receiver });
  const { tookMs, ...told } = await runRelay(world, join(world.root, 'gone.json'), ASK).ended;
  expect({ told, heard }).toEqual({ told: SILENT, heard: [] });
});

it('HK6 a forged capability is 401 and its hook prints nothing', async () => {
  await using world = new World();
  const { heard, receiver } = listener(false);
  const { api } = await world.start(undefined, { hookReceiver: receiver });
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
  expect({ silent, heard }).toEqual({ silent: SILENT, heard: [] });
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

it('HK6 a hook of almost a megabyte arrives whole', async () => {
  await using world = new World();
  const { heard, receiver } = listener(false);
  await world.start(undefined, { hookReceiver: receiver });
  const payload = { ...STOP, prompt: 'x'.repeat(1_000_000) };
  await runRelay(world, writeRunFile(world), payload).ended;
  expect(heard[0]?.payload).toEqual(payload);
});

/** Takes requests and never answers. */
async function hangingServer(): Promise<Server> {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
