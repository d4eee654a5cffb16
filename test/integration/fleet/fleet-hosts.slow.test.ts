/** Any host shows any other: its API below its name, decided by its own people. */
import { expect, it } from 'vitest';
import { openHookCapabilities } from '../../../server/agents/hooks/hook-capability.ts';
import { API, type ApiName } from '../../../shared/endpoints/api.ts';
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts';
import type { Role } from '../../../shared/schema/people/role.ts';
import { ApiClient } from '../../support/daemon/api-client.ts';
import { exampleCalls } from '../../support/house/example-calls.ts';
import {
  FleetWorld,
  openPair,
  reaches,
  through,
  OWNER_TOKEN,
} from '../../support/fleet/fleet-world.ts';
import { join } from '../../support/daemon/invite-person.ts';
import { sendRaw } from '../../support/transport/raw-http.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { until } from '../../support/house/until.ts';

/** Figures of the moment. */
const MOVING = ['getMetrics', 'streamEvents', 'streamTask'];

it('FH1 every GET below the name of a host is answered as the host itself answers it', async () => {
  await using pair = await openPair();
  const { one, two } = pair;
  await two.api.openSession('web', two.world.taskDir('web'));
  const gate = through(one, OWNER_TOKEN);
  const direct = new ApiClient(two.daemon.url, OWNER_TOKEN);
  const gets = exampleCalls({ session: 'web', taskDir: two.world.taskDir('web') }).filter(
    ({ name, method, path }) =>
      method === 'GET' && path.startsWith('/api/') && !MOVING.includes(name),
  );
  expect(gets.length).toBeGreaterThan(60);
  const read = async (api: ApiClient, path: string) => {
    const { status, body } = await api.get(path);
    return { status, body: JSON.stringify(body).replaceAll(/:\d[\d.e-]*|"\d{4}-[^"]*Z"/g, ':n') };
  };
  for (const { name, path } of gets) {
    // Some of it changes on its own, as snapshots do: then both are read again.
    const [shown, own] = await until(`${name} is the same twice`, async () => {
      const before = await read(direct, path);
      const through = await read(gate, path);
      const after = await read(direct, path);
      return before.body === after.body ? ([through, after] as const) : null;
    });
    expect([name, shown]).toEqual([name, own]);
  }
});

it('FH17 below its own name a host answers itself', async () => {
  await using pair = await openPair();
  const { one } = pair;
  const own = through(one, one.daemon.token, 'one');
  const { status, body } = await own.get('/api/me');
  expect({ status, body }).toEqual(await one.api.get('/api/me'));
  const cwd = one.world.taskDir('a');
  expect((await own.send('POST', '/api/sessions', { name: 'a', cwd })).status).toBe(201);
  expect(
    (await own.send('POST', '/api/sessions/a/input', { text: 'true', submit: true })).status,
  ).toBe(202);
});

it('FH2 the asked node must know the caller, and the host decides what they may do', async () => {
  await using pair = await openPair();
  const { one, two } = pair;
  const session = (name: string) => ({ name, cwd: two.world.taskDir(name) });
  expect({
    anonymous: refusal(await through(one, '').get('/api/sessions')),
    onlyThere: refusal(await through(one, two.daemon.token).get('/api/sessions')),
  }).toEqual({ anonymous: '401 unauthorized', onlyThere: '401 unauthorized' });
  // The admin of one host is a viewer of the other, no matter what is claimed.
  const viewer = through(one, one.daemon.token);
  expect((await viewer.get('/api/me')).body).toMatchObject({ name: 'one', role: 'viewer' });
  const cookie = `token=${two.daemon.token}`;
  const claims = { 'x-role': 'admin', 'x-forwarded-for': '127.0.0.1', cookie };
  for (const more of [undefined, claims]) {
    const answer = await viewer.send('POST', '/api/sessions', session('a'), more);
    expect(refusal(answer)).toBe('403 role_too_low');
  }
  expect(refusal(await viewer.get('/api/people'))).toBe('403 role_too_low');
  expect((await two.api.get('/api/sessions')).body).toEqual({ sessions: [] });
});

it.each(['viewer', 'operator', 'admin'] as const)(
  'FH2 who is known to both hosts as %s has that role on each',
  async (role: Role) => {
    await using pair = await openPair();
    const { one, two } = pair;
    const { token } = (await join(two.api, 'Mia', role)).api;
    const gate = through(one, token);
    await until('the people are shared', async () => (await gate.get('/api/me')).status === 200);
    expect((await gate.get('/api/me')).body).toMatchObject({ name: 'Mia', role });
    const made = await gate.send('POST', '/api/sessions', {
      name: 'a',
      cwd: two.world.taskDir('a'),
    });
    expect(made.status).toBe(role === 'viewer' ? 403 : 201);
    expect((await gate.get('/api/people')).status).toBe(role === 'admin' ? 200 : 403);
  },
);

it('FH3 no hook capability and no endpoint with a secret is answered to another host', async () => {
  await using pair = await openPair();
  const { one, two } = pair;
  const secret = openHookCapabilities(two.world.home).issue({ session: 'web', runId: 'r1' });
  const hook = { hook_event_name: 'Stop' };
  expect(
    (await two.api.send('POST', '/api/hooks', hook, { authorization: `Bearer ${secret}` })).status,
  ).toBe(200);
  expect(refusal(await through(one, secret).send('POST', '/api/hooks', hook))).toBe(
    '401 unauthorized',
  );
  const gate = through(one, OWNER_TOKEN);
  expect(refusal(await gate.send('POST', '/api/hooks', hook))).toBe('403 role_too_low');
  const local = Object.values<Endpoint>(API).filter((endpoint) => endpoint.local === true);
  expect(local.length).toBeGreaterThan(1);
  for (const { method, path } of local) {
    expect(refusal(await gate.send(method, path, { code: 'x' }))).toBe('403 role_too_low');
  }
});

it('FH6 nothing is typed from another host unless this one allows it: every such endpoint', async () => {
  await using off = await openPair();
  const inputs = (Object.keys(API) as ApiName[]).filter(
    (name) => (API[name] as Endpoint).input === true,
  );
  expect(inputs.sort()).toEqual(['interruptSession', 'resizeSession', 'sendInput']);
  await off.two.api.openSession('web', off.two.world.taskDir('web'));
  const calls = exampleCalls({ session: 'web', working: 'web' }).filter(({ name }) =>
    inputs.includes(name),
  );
  const ask = async (api: ApiClient) => {
    const answers = [];
    for (const { method, path, body } of calls) answers.push(await api.send(method, path, body));
    return answers;
  };
  const refused = await ask(through(off.one, OWNER_TOKEN));
  expect(refused.map(refusal)).toEqual(inputs.map(() => '403 remote_input_off'));
  expect(refused[0]?.body.error?.message).toContain('LOOPWATCH_ACCEPT_REMOTE_INPUT=on');
  expect((await off.two.api.get('/api/sessions/web/inputs')).body).toEqual({ inputs: [] });

  await using on = new FleetWorld();
  const one = await on.host('one');
  const two = await on.host('two', { LOOPWATCH_ACCEPT_REMOTE_INPUT: 'on' });
  await reaches(one, 'two');
  await two.api.openSession('web', two.world.taskDir('web'));
  const codes = (await ask(through(one, OWNER_TOKEN))).map(({ body }) => body.error?.code);
  expect(codes.filter((code) => code === 'remote_input_off')).toEqual([]);
  expect((await two.api.get('/api/sessions/web/inputs')).body['inputs']).toHaveLength(1);
});

it('FH7 nothing but the API of the named host is reached, however it is spelled, and no chain', async () => {
  await using pair = await openPair();
  const { one, two } = pair;
  const host = new URL(one.daemon.url).host;
  const targets = [
    '/hosts/two/metrics',
    '/hosts/two/health',
    '/hosts/two/healthz',
    '/hosts/two/api/../metrics',
    '/hosts/two/api/%2e%2e/metrics',
    '/hosts/two/api/%2E%2E%2Fmetrics',
    '/hosts/two/api/%252e%252e/metrics',
    '/hosts/two/api/..%5cmetrics',
    '/hosts/two/api/.ws./..',
    '/hosts/two/hosts/one/api/me',
    '/hosts/one/hosts/two/api/me',
    '/hosts/two/api/hosts/one/api/me',
    '/hosts/%74wo/api/me',
    '/hosts/two/%61pi/me',
    '/hosts//two/api/me',
    '/hosts/two//api/me',
    '//hosts/two/api/me',
    '/hosts/../hosts/two/api/me',
    `http://${host}/hosts/two/api/me`,
    '/hosts/two/api',
    '/hosts/two/api/unknown',
    '/hosts/two/ws',
  ];
  const leaked = [];
  for (const target of targets) {
    for (const site of [[], [['Sec-Fetch-Site', 'none'] as const]]) {
      const headers = [
        ['Host', host] as const,
        ['Authorization', `Bearer ${OWNER_TOKEN}`] as const,
        ['Connection', 'close'] as const,
        ...site,
      ];
      const { status, body, headers: given } = await sendRaw(one.daemon.url, { target, headers });
      const isPage = given['content-type']?.startsWith('text/html') === true;
      if (status < 300 && !isPage) leaked.push([target, status, body]);
    }
  }
  expect(leaked).toEqual([]);
  const before = two.daemon.url;
  expect(before).not.toBe(one.daemon.url);
});

it('FH10 large bodies arrive whole in both directions, and one too large is refused', async () => {
  await using pair = await openPair();
  const { one, two } = pair;
  const gate = through(one, OWNER_TOKEN);
  const content = 'é'.repeat(15_000);
  for (let index = 0; index < 60; index += 1) {
    const { status } = await two.api.send('POST', '/api/v1/prompts', {
      title: `p${index}`,
      content,
    });
    expect(status).toBe(201);
  }
  const read = await gate.get('/api/v1/prompts?limit=60');
  expect(JSON.stringify(read.body).length).toBeGreaterThan(800_000);
  expect(read).toEqual(await two.api.get('/api/v1/prompts?limit=60'));
  const prompt = 'x'.repeat(300_000);
  const run = { prompt, cwd: '/nowhere' };
  const started = await gate.send('POST', '/api/runs', run);
  expect(refusal(started)).toBe(refusal(await two.api.send('POST', '/api/runs', run)));
  const tooLarge = { text: 'x'.repeat(2_000_000) };
  expect(refusal(await gate.send('POST', '/api/sessions/a/input', tooLarge))).toBe(
    '413 payload_too_large',
  );
});
