/** Every row of the REST contract, against a real daemon. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { API, type ApiName } from '../../../shared/endpoints/api.ts';
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts';
import type { Module, ModuleTarget } from '../../../shared/schema/modules/modules.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { makeDeadDelivery } from '../../support/alerts/dead-delivery.ts';
import { withClaimOfDead } from '../../support/fleet/fleet-world.ts';
import { openIncident } from '../../support/alerts/open-incident.ts';
import { type ExampleCall, exampleCalls, secretFor } from '../../support/house/example-calls.ts';
import { holdInput } from '../../support/terminals/hold-input.ts';
import { askPerson, BASH_REQUEST, showTrust } from '../../support/agents/need-person.ts';
import { PushService } from '../../support/alerts/push-service.ts';
import { askInNotification } from '../../support/alerts/ask-in-notification.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { runExamples } from '../../support/house/run-examples.ts';
import { taskExamples } from '../../support/tasks/task-examples.ts';
import { openShell } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { FoundClient } from '../../support/found/found-client.ts';
import { UserTmux } from '../../support/terminals/user-tmux.ts';
import { World } from '../../support/daemon/world.ts';

const OPEN: readonly ApiName[] = ['health', 'login', 'acknowledgeByLink', 'answerByNotification'];
const STAY = { steps: [{ do: 'silence', ms: 600_000 }] };
/** Long enough in the foreground to be seen. */
const CRASH = {
  steps: [
    { do: 'silence', ms: 500 },
    { do: 'crash', code: 1 },
  ],
};

function everyCall<Value>(value: (call: ExampleCall) => Value): Record<string, Value> {
  return Object.fromEntries(exampleCalls().map((call) => [call.name, value(call)]));
}

async function answers(send: (call: ExampleCall) => Promise<string>) {
  const outcomes: Record<string, string> = {};
  for (const call of exampleCalls()) outcomes[call.name] = await send(call);
  return outcomes;
}

async function bodyOf(
  api: ApiClient,
  home: string,
  call: ExampleCall,
): Promise<{ status: number; body: unknown }> {
  const { method, path, body } = call;
  const left = new AbortController();
  const response = await fetch(api.url + path, {
    method,
    headers: {
      authorization: `Bearer ${secretFor(call, api.token, home)}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
    signal: left.signal,
  });
  const type = response.headers.get('content-type');
  if (type === 'application/x-asciicast' || /^text\/(plain|csv)/.test(type ?? '')) {
    return { status: response.status, body: await response.text() };
  }
  if (type !== 'text/event-stream') return { status: response.status, body: await response.json() };
  const first = await response.body?.getReader().read();
  left.abort();
  return { status: response.status, body: Buffer.from(first?.value ?? []).toString() };
}

it('WI1 every route of the contract has an example call here', () => {
  const names = exampleCalls().map(({ name }) => name);
  expect(names.sort()).toEqual(Object.keys(API).sort());
});

it('WI1 every success of every route has exactly the body of its schema', async () => {
  await using service = await PushService.open();
  await using world = new World({
    LOOPWATCH_RESTART_DELAYS_MS: '1',
    LOOPWATCH_PUSH_SERVICES: `fcm.googleapis.com,${service.host}`,
  });
  const { api, daemon } = await world.start(undefined, { carrier: withClaimOfDead(world.home) });
  const code = daemon.loginLink().split('#k=')[1] ?? '';
  const taskDir = world.taskDir('one', STAY);
  const seen = new Set<string>();
  const call = async (example: ExampleCall) => {
    const answer = await bodyOf(api, world.home, example);
    const endpoint: Endpoint = API[example.name];
    const schema = endpoint.responses[answer.status];
    expect([example.name, schema?.safeParse(answer.body)]).toEqual([
      example.name,
      { success: true, data: answer.body },
    ]);
    seen.add(`${example.name} ${answer.status}`);
    return [example.name, answer.status];
  };
  const noted = await showTrust(world, api, 'waiting');
  const held = await holdInput(world, api);
  const invited = await api.send('POST', '/api/people', { name: 'Noor', role: 'viewer' });
  const person = (invited.body['person'] as { id: string }).id;
  const alert = await makeDeadDelivery(api, world.taskDir('alerting'));
  const { incident: paged } = await openIncident(api, world.taskDir('paged'), world.home);
  const { token } = await openIncident(api, world.taskDir('linked'), world.home);
  await openShell(api, 'failing', world.taskDir('two', CRASH));
  await api.startLoop('failing', world.taskDir('two'));
  const failed = async () => (await api.loop('failing')).status === 'failed';
  await until('a loop that has failed', failed);
  const [withSnapshots, working] = ['failing', 'busy'];
  await until('a stored snapshot', async () => {
    const { body } = await api.get(`/api/sessions/${withSnapshots}/screens`);
    return (body['screens'] as unknown[]).length > 0;
  });
  await openShell(api, working, world.taskDir('three', STAY));
  await api.startLoop(working, world.taskDir('three'));
  await until('an agent at work', async () => {
    const { body } = await api.get(`/api/sessions/${working}`);
    return (body['agent'] as { state: string } | null)?.state === 'working';
  });
  const tasks = await taskExamples(world, api);
  const runs = await runExamples(world, api);
  await using tmux = new UserTmux(world);
  await tmux.run('new-session', '-d', 'exec sleep 1000');
  const pane = await tmux.paneOf('sleep');
  const elsewhere = FoundClient.of(pane, join(world.root, 'claude'), {});
  await until(
    'a found session',
    async () => (await api.get(`/api/found/${elsewhere.id}`)).status === 200,
  );
  const ended = await FoundClient.start(join(world.root, 'claude'), {
    cwd: world.taskDir('ended'),
  });
  ended.say({ type: 'user' });
  const isListed = async () => (await api.get(`/api/found/${ended.id}`)).status === 200;
  await until('another found session', isListed);
  await ended.leave();
  await until('its end', async () => !(await isListed()));
  const greet = world.taskDir('greet');
  writeFileSync(join(greet, '.target.md'), 'Greet');
  const greeting = await until('a task module', async () => {
    const { body } = await api.get('/api/modules');
    return (body['modules'] as Module[]).find(({ path }) => path === greet);
  });
  const { body: read } = await api.get(`/api/modules/${greeting.id}`);
  const { version } = read['target'] as ModuleTarget;
  // Last: a client that asked waits for its answer no longer than five minutes.
  const { id: asked } = await askPerson(world, api, 'asking', BASH_REQUEST);
  const push = await askInNotification(world, api, service);
  const values = {
    module: { id: greeting.id, version, other: join(world.root, 'tasks', 'new') },
    tasks,
    runs,
    found: elsewhere.id,
    ended: ended.id,
    session: 'web',
    taskDir,
    code,
    asked,
    noted,
    held,
    alert,
    incident: { id: paged, token },
    push,
    person,
    failed: 'failing',
    withSnapshots,
    working,
  };
  const examples = exampleCalls(values);
  const statuses = [];
  for (const example of examples) statuses.push(await call(example));
  expect(statuses).toEqual(examples.map(({ name, status }) => [name, status]));

  await until('it failed again', failed);
  const path = '/api/sessions/failing/task-auto';
  await call({ name: 'stopAuto', method: 'DELETE', path, status: 200 });
  const table = Object.entries<Endpoint>(API).flatMap(([name, { responses }]) =>
    Object.keys(responses).map((status) => `${name} ${status}`),
  );
  expect([...seen].sort()).toEqual(table.sort());
  await elsewhere.leave();
});

it('GA4 without a token every route but health and login is 401', async () => {
  await using world = new World();
  const { api } = await world.start();
  const refusals = await answers(async ({ method, path, body }) => {
    const answer = await api.send(method, path, body, { authorization: '' });
    return answer.status === 200 ? '200' : refusal(answer);
  });
  expect(refusals).toEqual({
    ...everyCall(() => '401 unauthorized'),
    health: '200',
    login: '401 invalid_login_code',
    acknowledgeByLink: '403 alert_link_invalid',
    answerByNotification: '403 push_ticket_invalid',
  });
});

it.each([
  ['a wrong token', `Bearer ${'x'.repeat(43)}`],
  ['another scheme', 'Basic YWRtaW46YWRtaW4='],
  ['an empty token', 'Bearer '],
  ['a token of 10,000 characters', `Bearer ${'x'.repeat(10_000)}`],
])('GA4 with %s every route but the open ones is 401', async (_, authorization) => {
  await using world = new World();
  const { api } = await world.start();
  const refusals = await answers(async ({ name, method, path, body }) => {
    if (OPEN.includes(name)) return 'open';
    const refused = refusal(await api.send(method, path, body, { authorization }));
    // Wrong secrets beyond 60 a minute get a different refusal.
    return refused.replace('429 too_many_attempts', '401 unauthorized');
  });
  const expected = everyCall(({ name }) => (OPEN.includes(name) ? 'open' : '401 unauthorized'));
  expect(refusals).toEqual(expected);
});

it('GA15, GA9 a token in a URL is not accepted by any route', async () => {
  await using world = new World();
  const { api } = await world.start();
  const refusals = await answers(async ({ name, method, path, body }) => {
    if (OPEN.includes(name)) return 'open';
    const target = `${path}${path.includes('?') ? '&' : '?'}token=${api.token}`;
    return refusal(await api.send(method, target, body, { authorization: '' }));
  });
  const expected = everyCall(({ name }) => (OPEN.includes(name) ? 'open' : '401 unauthorized'));
  expect(refusals).toEqual(expected);
});

it('WI2 every route of an inbox item gives the same error when it does not exist', async () => {
  await using world = new World();
  const { api } = await world.start();
  const refusals = [];
  for (const { name, method, path, body } of exampleCalls()) {
    if (!API[name].path.startsWith('/api/attention/:id')) continue;
    for (const id of ['0'.repeat(20), 'nobody', encodeURIComponent('no/../body$')]) {
      const target = path.replace('0'.repeat(20), id);
      refusals.push(refusal(await api.send(method, target, body)));
    }
  }
  expect(refusals).toEqual(Array.from({ length: 9 }, () => '404 attention_unknown'));
});

it('WI2 every route of an alert and of a delivery gives the same error when it does not exist', async () => {
  await using world = new World();
  const { api } = await world.start();
  const refusals = [];
  for (const { name, method, path, body } of exampleCalls()) {
    if (!API[name].path.startsWith('/api/alerts/') || !API[name].path.includes(':id')) continue;
    for (const id of ['0'.repeat(20), 'nobody', encodeURIComponent('no/../body$')]) {
      refusals.push(
        `${name} ${refusal(await api.send(method, path.replace('0'.repeat(20), id), body))}`,
      );
    }
  }
  expect([...new Set(refusals)]).toEqual([
    'changeAlert 404 alert_unknown',
    'testAlert 404 alert_unknown',
    'previewAlert 404 alert_unknown',
    'acknowledgeIncident 404 incident_unknown',
    'retryAlertDelivery 404 alert_delivery_unknown',
    'deleteAlert 404 alert_unknown',
  ]);
});

it('WI2 every route of a session gives the same error when it does not exist', async () => {
  await using world = new World();
  const { api } = await world.start();
  const routes = exampleCalls({ taskDir: world.taskDir('one') }).filter(({ name }) =>
    API[name].path.startsWith('/api/sessions/:id'),
  );
  const refusals = [];
  for (const { method, path, body } of routes) {
    refusals.push(refusal(await api.send(method, path, body)));
    const odd = path.replace('nobody', encodeURIComponent('no/../body$'));
    refusals.push(refusal(await api.send(method, odd, body)));
  }
  expect(refusals).toEqual(refusals.map(() => '404 session_unknown'));
});

it('WI2 an unknown path is 404 and a known path with another method 405', async () => {
  await using world = new World();
  const { api } = await world.start();
  expect({
    path: refusal(await api.get('/api/nothing')),
    below: refusal(await api.get('/api/sessions/web/nothing')),
    method: refusal(await api.send('DELETE', '/api/sessions')),
    trace: refusal(await api.send('OPTIONS', '/api/status')),
    outside: refusal(await api.send('POST', '/nothing')),
  }).toEqual({
    path: '404 not_found',
    below: '404 not_found',
    method: '405 method_not_allowed',
    trace: '405 method_not_allowed',
    outside: '404 not_found',
  });
});
