/** What is refused before any route sees a request: foreign hosts, pages and claims of proxies. */
import { expect, it } from 'vitest';
import type { TransportName } from '../../../shared/schema/transport-name.ts';
import { exampleCalls } from '../../support/house/example-calls.ts';
import type { Gaps } from '../../support/transport/on-engine.ts';
import { type RawAnswer, type RawHeaders, sendRaw } from '../../support/transport/raw-http.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { World } from '../../support/daemon/world.ts';

interface Door {
  url: string;
  token: string;
  /** host:port as the daemon answers to it. */
  host: string;
}

const HOSTS: [string, (door: Door) => RawHeaders][] = [
  ['another name', (door) => [['Host', door.host.replace('127.0.0.1', 'evil.example')]]],
  ['another port', () => [['Host', '127.0.0.1:1']]],
  ['no port', () => [['Host', '127.0.0.1']]],
  ['a look-alike', (door) => [['Host', `${door.host}.evil.example`]]],
  ['a user before it', (door) => [['Host', `evil@${door.host}`]]],
  ['nothing in it', () => [['Host', '']]],
  ['no header at all', () => []],
  ...[0, 1].map((twin): [string, (door: Door) => RawHeaders] => [
    `two headers, the ${twin === 0 ? 'second' : 'first'} foreign`,
    ({ host }) => {
      const both = [['Host', host] as const, ['Host', 'evil.example'] as const];
      return twin === 0 ? both : both.reverse();
    },
  ]),
  [
    'the right name twice',
    ({ host }) => [
      ['Host', host],
      ['Host', host],
    ],
  ],
];

const ORIGINS: [string, (door: Door) => RawHeaders][] = [
  ['another site', () => [['Origin', 'http://evil.example']]],
  ['null', () => [['Origin', 'null']]],
  ['another local port', () => [['Origin', 'http://127.0.0.1:3000']]],
  ['no port', () => [['Origin', 'http://127.0.0.1']]],
  ['a look-alike', ({ host }) => [['Origin', `http://${host}.evil.com`]]],
  ['another scheme', ({ host }) => [['Origin', `https://${host}`]]],
  ['a path after it', ({ host }) => [['Origin', `http://${host}/`]]],
  ['a list', ({ host }) => [['Origin', `http://${host}, http://evil.example`]]],
  ['nothing in it', () => [['Origin', '']]],
  [
    'the right name twice',
    ({ host }) => [
      ['Origin', `http://${host}`],
      ['Origin', `http://${host}`],
    ],
  ],
];

const CLAIMS: [string, (door: Door) => RawHeaders][] = [
  ['X-Forwarded-Host', ({ host }) => [['X-Forwarded-Host', host]]],
  ['X-Forwarded-For', () => [['X-Forwarded-For', '127.0.0.1']]],
  ['X-Forwarded-Proto', () => [['X-Forwarded-Proto', 'https']]],
  ['Forwarded', ({ host }) => [['Forwarded', `for=127.0.0.1;host="${host}"`]]],
  ['X-Real-IP', () => [['X-Real-IP', '127.0.0.1']]],
  ['X-Relay', () => [['X-Relay', '1']]],
  ['X-Scopes', () => [['X-Scopes', 'admin']]],
  ['X-HTTP-Method-Override', () => [['X-HTTP-Method-Override', 'GET']]],
];

export function testRestGate(engine: TransportName, { noHost }: Gaps): void {
  const hosts = HOSTS.filter(([what]) => noHost === null || what !== 'no header at all');
  it.each(hosts)('GA2 a Host of %s is 421 on every route', async (_, host) => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const door = await openDoor(world);
    expect(refusals(await knock(door, [], host(door)))).toEqual(everyRoute('421 unknown_host'));
  });

  it('GA2 each name of the loopback is answered, in any case', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { url, host } = await openDoor(world);
    const port = host.split(':')[1] ?? '';
    const names = ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'];
    const statuses = [];
    for (const name of names) {
      const headers = [['Host', `${name}:${port}`] as const, ['Connection', 'close'] as const];
      statuses.push((await sendRaw(url, { target: '/healthz', headers })).status);
    }
    expect(statuses).toEqual(names.map(() => 200));
  });

  it.each(ORIGINS)('GA3 an Origin of %s is 403 on every route', async (_, origin) => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const door = await openDoor(world);
    expect(refusals(await knock(door, origin(door)))).toEqual(everyRoute('403 foreign_origin'));
  });

  it.each(['same-site', 'cross-site', 'none', 'Same-Origin', ''])(
    'GA14 Sec-Fetch-Site "%s" is 403 on every route of the API',
    async (site) => {
      await using world = new World({ LOOPWATCH_TRANSPORT: engine });
      const door = await openDoor(world);
      const { health, ...rest } = refusalsOrStatus(await knock(door, [['Sec-Fetch-Site', site]]));
      const { health: _, ...expected } = everyRoute('403 foreign_origin');
      expect(rest).toEqual(expected);
      expect(health).toBe(site === 'none' ? '200' : '403 foreign_origin');
    },
  );

  it('GA14 no spelling of an API path makes it pass as the page', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { url, host, token } = await openDoor(world);
    const targets = [
      `http://${host}/api/status`,
      '/%61pi/status',
      '//api/status',
      '/./api/status',
      '/x/../api/status',
    ];
    const leaks = [];
    for (const target of targets) {
      const headers = [
        ['Host', host],
        ['Authorization', `Bearer ${token}`],
        ['Sec-Fetch-Site', 'none'],
        ['Connection', 'close'],
      ] as const;
      const { status, body } = await sendRaw(url, { target, headers });
      if (status === 200 && body.includes('"epoch"')) leaks.push(target);
    }
    expect(leaks).toEqual([]);
  });

  it('GA3 GA14 our own page and clients without a page pass', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { url, host } = await openDoor(world);
    const own: RawHeaders[] = [
      [],
      [['Origin', `http://${host}`]],
      [
        ['Origin', `http://${host}`],
        ['Sec-Fetch-Site', 'same-origin'],
      ],
    ];
    const statuses = [];
    for (const headers of own) {
      const all = [['Host', host] as const, ['Connection', 'close'] as const, ...headers];
      statuses.push((await sendRaw(url, { target: '/healthz', headers: all })).status);
    }
    expect(statuses).toEqual([200, 200, 200]);
  });

  it.each(CLAIMS)('GA5 %s changes no answer of any check', async (_, claim) => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const door = await openDoor(world);
    const foreignHost = [['Host', 'evil.example']] as const;
    const anonymous = { ...door, token: 'x'.repeat(43) };
    const claims = claim(door);
    const refused = {
      host: refusals(await knock(door, claims, foreignHost)),
      origin: refusals(await knock(door, [...claims, ['Origin', 'null']])),
      token: refusal((await knock(anonymous, claims))['status'] ?? { status: 0, body: '' }),
    };
    expect(refused).toEqual({
      host: everyRoute('421 unknown_host'),
      origin: everyRoute('403 foreign_origin'),
      token: '401 unauthorized',
    });
  });

  it('GA1, GA3, GA14 the page passes the same checks, and may be opened by hand', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { url, host } = await openDoor(world);
    const open = async (headers: RawHeaders, name = host) => {
      const all = [['Host', name] as const, ['Connection', 'close'] as const, ...headers];
      return (await sendRaw(url, { target: '/', headers: all })).status;
    };
    expect({
      byHand: await open([['Sec-Fetch-Site', 'none']]),
      fromElsewhere: await open([['Sec-Fetch-Site', 'cross-site']]),
      rebound: await open([['Sec-Fetch-Site', 'none']], 'evil.example'),
      framed: await open([['Origin', 'http://evil.example']]),
    }).toEqual({ byHand: 200, fromElsewhere: 403, rebound: 421, framed: 403 });
  });

  it('GA3 no answer carries a CORS header, not even to a preflight', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const door = await openDoor(world);
    const preflight = await sendRaw(door.url, {
      method: 'OPTIONS',
      target: '/api/status',
      headers: [
        ['Host', door.host],
        ['Origin', 'http://evil.example'],
        ['Access-Control-Request-Method', 'POST'],
        ['Connection', 'close'],
      ],
    });
    const own = await knock(door, [['Origin', `http://${door.host}`]]);
    const names = [preflight, ...Object.values(own)].flatMap(({ headers }) => Object.keys(headers));
    expect(refusal(preflight)).toBe('403 foreign_origin');
    expect(names.filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
}

async function openDoor(world: World): Promise<Door> {
  const { daemon } = await world.start();
  return { url: daemon.url, token: daemon.token, host: new URL(daemon.url).host };
}

/** Sends each example call with these headers, the right token and without a client's additions. */
async function knock(door: Door, headers: RawHeaders, host: RawHeaders = [['Host', door.host]]) {
  const answers: Record<string, RawAnswer> = {};
  for (const { name, method, path, body } of exampleCalls()) {
    const text = body === undefined ? '' : JSON.stringify(body);
    answers[name] = await sendRaw(door.url, {
      method,
      target: path,
      headers: [
        ...host,
        ['Authorization', `Bearer ${door.token}`],
        ['Connection', 'close'],
        ['Content-Length', String(Buffer.byteLength(text))],
        ...(text === '' ? [] : [['Content-Type', 'application/json'] as const]),
        ...headers,
      ],
      body: text,
    });
  }
  return answers;
}

function everyRoute(word: string): Record<string, string> {
  return Object.fromEntries(exampleCalls().map(({ name }) => [name, word]));
}

function refusals(answers: Record<string, RawAnswer>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [name, refusal(answer)]),
  );
}

function refusalsOrStatus(answers: Record<string, RawAnswer>): Record<string, string> {
  const word = (answer: RawAnswer) => (answer.status < 300 ? '200' : refusal(answer));
  return Object.fromEntries(Object.entries(answers).map(([name, answer]) => [name, word(answer)]));
}
