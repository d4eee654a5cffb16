/**
 * A daemon behind a reverse proxy that terminates TLS: what gets through, and what a forged header
 * changes.
 */
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { TransportName } from '../../../shared/schema/transport-name.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import {
  openRaw,
  type RawAnswer,
  type RawHeaders,
  sendRaw,
} from '../../support/transport/raw-http.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { ReverseProxy } from '../../support/transport/reverse-proxy.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const NAME = 'loopwatch.example';
const OWN = `https://${NAME}`;
/** What a proxy may add, here forged. */
const FORGED = {
  'x-forwarded-for': '127.0.0.1',
  'x-forwarded-host': NAME,
  'x-forwarded-proto': 'https',
  forwarded: `host=${NAME};proto=https;for=127.0.0.1`,
};

export function testBehindProxy(engine: TransportName): void {
  const settings = {
    LOOPWATCH_TRANSPORT: engine,
    LOOPWATCH_BEHIND_PROXY: '1',
    LOOPWATCH_HOSTS: NAME,
  };

  it('GA12 pages, REST, login link and tickets work through a slow proxy', async () => {
    await using world = new World(settings);
    const { api, daemon } = await world.start();
    await using proxy = await ReverseProxy.listen(api.url, { slow: true });
    const page = await ask(proxy.url, { target: '/' });
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const link = daemon.loginLink();
    expect(link.startsWith(`${OWN}/#k=`)).toBe(true);
    const body = JSON.stringify({ code: link.split('#k=')[1] });
    const login = await ask(proxy.url, { method: 'POST', target: '/api/login', body });
    const { token } = JSON.parse(login.body) as { token: string };
    expect(token).toBe(api.token);
    const me = await ask(proxy.url, { target: '/api/me', token });
    expect(JSON.parse(me.body)).toMatchObject({ role: 'admin' });
  });

  it('GA12 events pass a buffering proxy without delay', async () => {
    await using world = new World(settings);
    const { api } = await world.start();
    await using proxy = await ReverseProxy.listen(api.url);
    const socket = openRaw(proxy.url, {
      target: '/api/events/stream?types=people.*',
      headers: headersOf({ token: api.token }),
    });
    let received = '';
    socket.on('data', (data) => (received += data.toString()));
    await until('the stream is open', () => received.includes('retry:'));
    await api.send('POST', '/api/people', { name: 'Mia', role: 'viewer' });
    await until('the event', () => received.includes('people.invited'));
    socket.destroy();
    expect(received).toMatch(/^cache-control: no-store, no-transform\r$/im);
  });

  it('GA12 a WebSocket opens through the proxy from its own page alone', async () => {
    await using world = new World(settings);
    const { api } = await world.start();
    await using proxy = await ReverseProxy.listen(api.url, { headers: FORGED });
    expect(await opens(proxy, api, OWN)).toBe('welcome');
    expect(await opens(proxy, api, 'https://evil.example')).toBe('403');
    expect(await opens(proxy, api, `http://${NAME}`)).toBe('403');
  });

  it('GA5 GA12 no forwarded header gets past Host, Origin and token checks', async () => {
    await using world = new World(settings);
    const { api } = await world.start();
    await using proxy = await ReverseProxy.listen(api.url, { headers: FORGED });
    const { token } = api;
    expect({
      host: refusal(await ask(proxy.url, { target: '/api/me', token, host: 'evil.example' })),
      origin: refusal(
        await ask(proxy.url, { target: '/api/me', token, origin: 'https://evil.example' }),
      ),
      token: refusal(await ask(proxy.url, { target: '/api/me' })),
    }).toEqual({
      host: '421 unknown_host',
      origin: '403 foreign_origin',
      token: '401 unauthorized',
    });
  });

  it('GA13 a proxy that serves the page below a path gets a page that says what to do', async () => {
    await using world = new World(settings);
    const { api } = await world.start();
    const headers = { 'x-forwarded-prefix': '/watch' };
    await using proxy = await ReverseProxy.listen(api.url, { headers });
    const { status, body } = await ask(proxy.url, { target: '/' });
    expect([status, body.includes('its own host name')]).toEqual([501, true]);
    expect((await ask(proxy.url, { target: '/healthz' })).status).toBe(200);
  });
}

interface Asked {
  method?: string;
  target: string;
  token?: string;
  host?: string;
  origin?: string;
  body?: string;
}

async function ask(url: string, { method, target, body, ...asked }: Asked): Promise<RawAnswer> {
  const own: RawHeaders =
    body === undefined
      ? []
      : [
          ['Content-Type', 'application/json'],
          ['Content-Length', String(body.length)],
        ];
  return sendRaw(url, { method, target, body, headers: [...headersOf(asked), ...own] });
}

function headersOf({ token, host = NAME, origin = OWN }: Omit<Asked, 'target'>): RawHeaders {
  return [
    ['Host', host],
    ['Origin', origin],
    ['Connection', 'close'],
    ...(token === undefined ? [] : [['Authorization', `Bearer ${token}`] as const]),
  ];
}

/** The type of the first frame, or the status that refused. */
async function opens(proxy: ReverseProxy, api: ApiClient, origin: string): Promise<string> {
  const { body } = await api.send('POST', '/api/tickets');
  const protocols = ['loopwatch.v1', `ticket.${String(body['ticket'])}`];
  const headers = { host: NAME };
  const socket = new WebSocket(`${proxy.url}/ws`, protocols, { origin, headers });
  try {
    return await new Promise<string>((resolve, reject) => {
      socket.on('message', (data: Buffer) =>
        resolve((JSON.parse(data.toString()) as { type: string }).type),
      );
      socket.on('unexpected-response', (_, { statusCode }) => resolve(String(statusCode)));
      socket.on('error', reject);
    });
  } finally {
    socket.on('error', () => undefined);
    socket.terminate();
  }
}
