/** Bodies and queries that every route refuses, and the order in which a request is checked. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { API, type ApiName } from '../../../shared/endpoints/api.ts';
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts';
import type { TransportName } from '../../../shared/schema/transport-name.ts';
import { type ExampleCall, exampleCalls, secretFor } from '../../support/house/example-calls.ts';
import { sendRaw } from '../../support/transport/raw-http.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { World } from '../../support/daemon/world.ts';

const KIB = 1024;

const writes = ({ method }: Endpoint) => method !== 'GET';
const takesOthersKeys = ({ role }: Endpoint) => role === 'run';
const takesBody = ({ body }: Endpoint) => body !== undefined;
const takesNone = ({ method, body }: Endpoint) => method !== 'GET' && body === undefined;

interface Judged {
  host?: string;
  origin?: string;
  token?: string;
  method?: string;
  target?: string;
  type?: string;
  body?: string;
}

const LOOP = '/api/sessions/nobody/task-auto';
const INPUT = '/api/sessions/nobody/input';
const TYPED = '{"text":"","submit":false}';

const ORDER: [string, Judged, string][] = [
  ['everything wrong', { host: 'x', origin: 'null', token: '', type: 'text/plain' }, '421'],
  ['origin, token and type wrong', { origin: 'null', token: '', type: 'text/plain' }, '403'],
  ['bad host, no token', { host: 'x', token: '' }, '421'],
  ['bad host, unknown path', { host: 'x', target: '/api/nothing' }, '421'],
  ['foreign origin, no token', { origin: 'http://evil.example', token: '' }, '403'],
  ['no token, text/plain', { token: '', type: 'text/plain' }, '401'],
  ['no token, body not JSON', { token: '', body: '{' }, '401'],
  ['no token, unknown path', { token: '', target: '/api/nothing' }, '401'],
  ['no token, known path, other method', { token: '', method: 'PUT' }, '401'],
  ['text/plain, invalid body, unknown session', { type: 'text/plain', body: '{' }, '415'],
  ['invalid body, unknown session', { body: '{}' }, '400'],
  ['valid body, unknown session', { body: TYPED }, '404'],
  ['limits that change nothing, unknown session', { method: 'PATCH', target: LOOP }, '400'],
  [
    'unsafe directory, unknown session',
    { target: LOOP, body: '{"taskDir":"/tmp/$(touch p)"}' },
    '400',
  ],
];

export function testRestBody(engine: TransportName): void {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'text/json'])(
    'WI13 a body of type %s is 415, on an unknown session too',
    async (type) => {
      await using world = new World({ LOOPWATCH_TRANSPORT: engine });
      const refusals = await refusalsOf(world, writes, () => ({ body: '{"x":', type }));
      expect(refusals).toEqual(each(refusals, '415 unsupported_media_type'));
    },
  );

  it('WI13 a body one byte over what a route takes is 413 on every route', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const refusals = await refusalsOf(world, writes, ({ name }) => {
      const { maxBytes = 64 * KIB }: Endpoint = API[name];
      return { body: '{}'.padEnd(maxBytes + 1) };
    });
    expect(refusals).toEqual(each(refusals, '413 payload_too_large'));
  });

  it('WI13 a body of 64 KiB passes; more is 413, with and without a length header', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { api } = await world.start();
    const path = '/api/sessions/nobody/resize';
    const send = async (length: readonly [string, string], body: string) =>
      refusal(
        await sendRaw(api.url, {
          method: 'POST',
          target: path,
          headers: [
            ['Host', new URL(api.url).host],
            ['Authorization', `Bearer ${api.token}`],
            ['Content-Type', 'application/json'],
            ['Connection', 'close'],
            length,
          ],
          body,
        }),
      );
    const body = JSON.stringify({ cols: 80, rows: 24 }).padEnd(64 * KIB);
    const chunk = `${(64 * KIB + 1).toString(16)}\r\n${body} \r\n0\r\n\r\n`;
    const huge = body.padEnd(1024 * KIB);
    expect({
      whole: await send(['Content-Length', String(body.length)], body),
      huge: await send(['Content-Length', String(huge.length)], huge),
      chunked: await send(['Transfer-Encoding', 'chunked'], chunk),
    }).toEqual({
      whole: '404 session_unknown',
      huge: '413 payload_too_large',
      chunked: '413 payload_too_large',
    });
  });

  it('WI4 an unknown key in a body is 400', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const ours = (endpoint: Endpoint) => writes(endpoint) && !takesOthersKeys(endpoint);
    const refusals = await refusalsOf(world, ours, ({ body }) => ({ body: { ...body, extra: 1 } }));
    expect(refusals).toEqual(each(refusals, '400 invalid_body'));
  });

  it('WI4 an unknown key in a query is 400', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const refusals = await refusalsOf(
      world,
      ({ role }) => role !== null,
      ({ path }) => ({ path: `${path}${path.includes('?') ? '&' : '?'}extra=1` }),
    );
    expect(refusals).toEqual(each(refusals, '400 invalid_query'));
  });

  it('WI4 a key given twice in a query is 400', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const refusals = await refusalsOf(
      world,
      ({ query }) => query !== undefined,
      ({ name, path }) => {
        const [place = '', given = anyQuery(name)] = path.split('?');
        return { path: `${place}?${given}&${given}` };
      },
    );
    expect(refusals).toEqual(each(refusals, '400 invalid_query'));
  });

  it.each(['{', '[]', '"text"', 'null', '5', '{"__proto__":{"role":"admin"}}', '\uFFFE'])(
    'WI4 the body %j is 400 where one is needed',
    async (body) => {
      await using world = new World({ LOOPWATCH_TRANSPORT: engine });
      const refusals = await refusalsOf(world, takesBody, () => ({ body }));
      expect(refusals).toEqual(each(refusals, '400 invalid_body'));
    },
  );

  it.each(['{', '["x"]', '"text"', 'null', '5', 'true'])(
    'WI4 the body %j is 400 where none is taken',
    async (body) => {
      await using world = new World({ LOOPWATCH_TRANSPORT: engine });
      const refusals = await refusalsOf(world, takesNone, () => ({ body }));
      expect(refusals).toEqual(each(refusals, '400 invalid_body'));
    },
  );

  it('WI4 a body that is not UTF-8 is 400', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { api } = await world.start();
    const response = await fetch(`${api.url}/api/sessions/nobody/input`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' },
      body: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
    });
    expect(refusal({ status: response.status, body: await response.json() })).toBe(
      '400 invalid_body',
    );
  });

  it.each(ORDER)('WI3 %s: the first check that fails answers', async (_, judged, status) => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { api } = await world.start();
    const { host = new URL(api.url).host, origin, token = api.token, method = 'POST' } = judged;
    const { target = INPUT, type = 'application/json', body = '{}' } = judged;
    const answer = await sendRaw(api.url, {
      method,
      target,
      headers: [
        ['Host', host],
        ['Connection', 'close'],
        ['Content-Type', type],
        ['Content-Length', String(body.length)],
        ...(origin === undefined ? [] : [['Origin', origin] as const]),
        ...(token === '' ? [] : [['Authorization', `Bearer ${token}`] as const]),
      ],
      body,
    });
    expect(refusal(answer).split(' ')[0]).toBe(status);
  });

  it('GA1, WI3 nothing of a refused request has happened', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { api } = await world.start();
    const before = await api.events();
    const body = { name: 'web', cwd: world.taskDir('one') };
    const refusals = [
      await api.send('POST', '/api/sessions', body, { origin: 'http://evil.example' }),
      await api.send('POST', '/api/sessions', body, { authorization: '' }),
      await api.send('POST', '/api/sessions', body, { 'content-type': 'text/plain' }),
      await api.send('POST', '/api/sessions', { ...body, extra: 1 }),
      await api.send('HEAD', '/api/sessions', undefined, { authorization: '' }),
    ].map(({ status }) => status);
    const { body: listed } = await api.get('/api/sessions');
    expect({ refusals, listed, events: await api.events() }).toEqual({
      refusals: [403, 401, 415, 400, 401],
      listed: { sessions: [] },
      events: before,
    });
  });
}

/** Sends every example call that `wanted` selects, changed by `change`; returns the refusals. */
async function refusalsOf(
  world: World,
  wanted: (endpoint: Endpoint) => boolean,
  change: (call: ExampleCall) => { path?: string; body?: unknown; type?: string },
): Promise<Record<string, string>> {
  const { api } = await world.start();
  const refusals: Record<string, string> = {};
  for (const call of exampleCalls()) {
    if (!wanted(API[call.name])) continue;
    const { path, body, type = 'application/json' } = { ...call, ...change(call) };
    const headers: Record<string, string> = {
      authorization: `Bearer ${secretFor(call, api.token, world.home)}`,
      ...(body === undefined ? {} : { 'content-type': type }),
    };
    const answer = await api.send(call.method, path, body, headers);
    refusals[call.name] = answer.status < 300 ? String(answer.status) : refusal(answer);
  }
  return refusals;
}

function each(refusals: Record<string, string>, word: string): Record<string, string> {
  return Object.fromEntries(Object.keys(refusals).map((name) => [name, word]));
}

/** A key that the query of a route knows, with some value. */
function anyQuery(name: ApiName): string {
  const { query }: Endpoint = API[name];
  return query instanceof z.ZodObject ? `${Object.keys(query.shape)[0] ?? ''}=1` : '';
}
