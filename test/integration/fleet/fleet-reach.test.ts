/** Hosts that are there, lost, found again, or never were in a fleet. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { API } from '../../../shared/endpoints/api.ts';
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts';
import { type Answer, ApiClient } from '../../support/daemon/api-client.ts';
import {
  FleetWorld,
  openPair,
  reaches,
  through,
  OWNER_TOKEN,
} from '../../support/fleet/fleet-world.ts';
import { join } from '../../support/daemon/invite-person.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { openRaw } from '../../support/transport/raw-http.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { until } from '../../support/house/until.ts';
import { WsClient } from '../../support/transport/ws-client.ts';

it('FH4 an unknown host is 404, and one that cannot be reached 503 at once, with the time', async () => {
  await using pair = await openPair();
  const { one, two } = pair;
  const token = one.daemon.token;
  const names = ['three', 'TWO', 'two.', '%74wo', 'two%00', '-', 'x'.repeat(200)];
  const refused = [];
  for (const name of names) refused.push(refusal(await through(one, token, name).get('/api/me')));
  expect(refused).toEqual(names.map(() => '404 host_unknown'));
  pair.carried.cut(two.id);
  const posted = await through(one, token).send('POST', '/api/demo');
  expect(refusal(posted)).toBe('503 host_unreachable');
  pair.carried.cut(one.id);
  const { status, body } = await through(one, token).get('/api/sessions');
  expect({ status, error: body.error }).toMatchObject({
    status: 503,
    error: { code: 'host_unreachable', details: { host: 'two' } },
  });
  expect(body.error?.message).toContain(String(body.error?.details?.['since']));
});

it('FH2 FM11 the token of a home is not sent to another host, even where it would be known', async () => {
  const token = 'h'.repeat(43);
  await using pair = await openPair({ LOOPWATCH_TOKEN: token });
  const { one, two } = pair;
  const roleOf = async (api: ApiClient) => (await api.get('/api/me')).body['role'];
  expect(await roleOf(two.api)).toBe('admin');
  expect(await roleOf(through(one, token))).toBe('viewer');
  expect(await roleOf(through(one, OWNER_TOKEN))).toBe('admin');
});

it('FH11 a host that is lost in the middle leaves no answer that looks whole', async () => {
  await using pair = await openPair();
  const { one, two } = pair;
  const response = await fetch(`${one.daemon.url}/hosts/two/api/events/stream?after=0`, {
    headers: { authorization: `Bearer ${OWNER_TOKEN}` },
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  expect((await reader.read()).done).toBe(false);
  pair.carried.cut(two.id);
  await expect(
    (async () => {
      while (!(await reader.read()).done);
    })(),
  ).rejects.toThrow();
});

it('FH21 what a person left is cancelled at the host', async () => {
  await using pair = await openPair();
  const { one, two } = pair;
  const socket = openRaw(one.daemon.url, {
    target: '/hosts/two/api/events/stream?after=0',
    headers: [
      ['Host', new URL(one.daemon.url).host],
      ['Authorization', `Bearer ${OWNER_TOKEN}`],
    ],
  });
  await once(socket, 'data');
  const channels = () => pair.carried.carriers.get(two.id)?.channels.size;
  expect(channels()).toBe(1);
  socket.destroy();
  await until('the channel is closed', () => channels() === 0);
});

it('FH14 lists and events of a host that cannot be reached are answered as of then', async () => {
  const clock = new ManualClock(Date.now());
  await using pair = await openPair({}, clock);
  const { one, two } = pair;
  await two.api.openSession('web', two.world.taskDir('web'));
  const { carried } = pair;
  await until('the list is kept', () => {
    clock.advance(1_000);
    const { answer = [] } = carried.copies.get(`${two.id} /api/sessions`) ?? {};
    return Buffer.from(answer).toString().includes('"web"');
  });
  const before = (await two.api.get('/api/sessions')).body;
  const asked: [string, Answer['body']][] = [];
  for (const query of [
    '?after=0&limit=1000',
    '?after=2&limit=2',
    '?types=session.*',
    '?before=4&limit=2',
  ]) {
    asked.push([query, (await two.api.get(`/api/events${query}`)).body]);
  }
  const head = asked[0]?.[1]['head'] as number;
  await until('the log is copied', () => {
    clock.advance(100);
    return carried.logs.get(two.id)?.position.last === head;
  });
  carried.cut(two.id);
  clock.advance(31_000);
  const kept = Object.values<Endpoint>(API).filter(({ copied }) => copied !== undefined);
  for (const { path, copied = '' } of kept) {
    const response = await fetch(`${one.daemon.url}/hosts/two${path}${copied}`, {
      headers: { authorization: `Bearer ${OWNER_TOKEN}` },
    });
    expect([path, response.status]).toEqual([path, 200]);
    expect(Date.parse(response.headers.get('loopwatch-as-of') ?? '')).toBeGreaterThan(0);
    if (path === '/api/sessions') expect(await response.json()).toEqual(before);
  }
  const gate = through(one, OWNER_TOKEN);
  for (const [query, body] of asked) {
    expect([query, (await gate.get(`/api/events${query}`)).body]).toEqual([query, body]);
  }
  const others = [
    '/api/people',
    '/api/sessions/web',
    '/api/attention?state=all',
    '/api/sessions?x=1',
  ];
  for (const path of others) expect(refusal(await gate.get(path))).toBe('503 host_unreachable');
  expect(refusal(await through(one, 'wrong'.repeat(9)).get('/api/sessions'))).toBe(
    '401 unauthorized',
  );
  carried.heal(two.id);
  await reaches(one, 'two', clock);
  expect((await gate.get('/api/people')).status).toBe(200);
});

it('FH14 what a host removed before it was copied is a marked gap, not a stream that looks whole', async () => {
  const clock = new ManualClock(Date.now());
  await using pair = await openPair({}, clock);
  const { one, two, carried } = pair;
  const copied = () => carried.logs.get(two.id);
  await until('the log is copied', () => {
    clock.advance(100);
    return (copied()?.position.last ?? 0) >= 1;
  });
  carried.cut(two.id);
  clock.advance(31_000);
  const log = copied();
  if (log === undefined) throw new Error('nothing was copied');
  // As after a cut that was longer than the retention of the host.
  const head = log.position.last;
  const late = [20, 21].map((n) => (log.events[0] ?? '').replace('"seq":1,', `"seq":${head + n},`));
  log.events.push(...late);
  log.position.last = head + 21;
  const gate = through(one, OWNER_TOKEN);
  const read = async (after: number) => {
    const { body } = await gate.get(`/api/events?after=${after}&limit=1000`);
    const seqs = (body['events'] as { seq: number }[]).map(({ seq }) => seq);
    return { seqs, next: body['next'], reset: body['reset'] };
  };
  const all = Array.from({ length: head }, (_, n) => n + 1);
  expect(await read(0)).toEqual({ seqs: all, next: head, reset: undefined });
  const reset = { reason: 'expired', oldest: head + 20, head: head + 21 };
  expect(await read(head)).toEqual({ seqs: [], next: head + 21, reset });
  expect(await read(head + 20)).toEqual({ seqs: [head + 21], next: head + 21, reset: undefined });
});

it('FH13 a host that is cut off continues alone, and is found again', async () => {
  await using pair = await openPair();
  const { one, two } = pair;
  pair.carried.cut(two.id);
  await two.api.openSession('web', two.world.taskDir('web'));
  const view = (await two.api.get('/api/hosts')).body as { problem?: { code?: string } };
  expect(view.problem?.code).toBe('disconnected');
  pair.carried.heal(two.id);
  await until(
    'it is found',
    async () => (await through(one, OWNER_TOKEN).get('/api/sessions/web')).status === 200,
  );
  const types = (await two.api.events('&types=fleet.*')).map(({ type }) => type);
  expect(types.filter((type) => !type.startsWith('fleet.host'))).toEqual([
    'fleet.connected',
    'fleet.disconnected',
    'fleet.connected',
  ]);
});

it('FH16 below the name of a host the page has its address as base, and only its own script', async () => {
  await using pair = await openPair();
  const { one } = pair;
  const read = async (path: string) => {
    const response = await fetch(one.daemon.url + path);
    return {
      text: await response.text(),
      policy: response.headers.get('content-security-policy') ?? '',
    };
  };
  const [own, other] = [await read('/'), await read('/hosts/two/sessions/web')];
  expect(own.text).toContain('base: ""');
  expect(other.text).toContain('base: "/hosts/two", assets: ""');
  expect(other.text.replace('base: "/hosts/two", assets: ""', 'base: ""')).toBe(own.text);
  const scripts = [...other.text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, text = '']) => text,
  );
  const hashes = scripts
    .filter((text) => text.trim() !== '')
    .map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  expect(/script-src ([^;]*)/.exec(other.policy)?.[1]?.split(' ')).toEqual(["'self'", ...hashes]);
  expect(other.policy).not.toBe(own.policy);
});

it('FH18 a daemon with a fleet and no home in one does not start, and says what to do', async () => {
  await using fleet = new FleetWorld();
  const world = fleet.world({ LOOPWATCH_NATS: 'nats://127.0.0.1:1' });
  await expect(world.start()).rejects.toThrow(/loopwatch fleet join/);
});

it('FH20 a host lists itself first, then the others; one that is alone lists none', async () => {
  await using fleet = new FleetWorld();
  const alone = fleet.world();
  const { api } = await alone.start();
  expect((await api.get('/api/hosts')).body).toEqual({ self: null, hosts: [], problem: null });
  expect(refusal(await new ApiClient(`${api.url}/hosts/two`, api.token).get('/api/me'))).toBe(
    '404 host_unknown',
  );
  const one = await fleet.host('one', { LOOPWATCH_HOST_LABELS: 'gpu,linux' });
  const zoe = await fleet.host('zoe');
  await fleet.host('max');
  for (const name of ['one', 'max']) await reaches(zoe, name);
  const view = (await zoe.api.get('/api/hosts')).body as { hosts: object[]; self: object };
  expect(view.hosts).toMatchObject([
    { name: 'zoe', state: 'here', last_seen_at: null },
    { name: 'max', state: 'reachable' },
    { name: 'one', state: 'reachable', labels: ['gpu', 'linux'], id: one.id },
  ]);
  expect(view.self).toEqual(view.hosts[0]);
});

it('FH22 what a person has open of another host ends with their access to this one', async () => {
  await using pair = await openPair();
  const { one } = pair;
  const person = await join(one.api, 'Ada', 'viewer');
  const gate = through(one, person.api.token);
  const response = await fetch(`${gate.url}/api/events/stream?after=0`, {
    headers: { authorization: `Bearer ${gate.token}` },
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  expect((await reader.read()).done).toBe(false);
  const client = new WsClient(gate.url, { token: gate.token });
  await client.next('welcome');
  const { body } = await gate.send('POST', '/api/tickets');
  const protocols = ['loopwatch.v1', `ticket.${String(body['ticket'])}`];
  const ticketed = new WsClient(gate.url, { protocols });
  await ticketed.next('welcome');
  // Known here alone: the other host would let it run on.
  pair.carried.people.clear();
  expect((await one.api.send('DELETE', `/api/people/${person.id}`)).status).toBe(200);
  expect((await client.closed).code).toBe(4401);
  expect((await ticketed.closed).code).toBe(4401);
  const read = async () => {
    while (!(await reader.read()).done);
  };
  await expect(read()).rejects.toThrow();
  expect(refusal(await gate.get('/api/me'))).toBe('401 unauthorized');
});
