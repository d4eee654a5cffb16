/** Who gets past the gate: names, pages, claims of proxies, methods and handshakes. */
import { expect } from 'vitest';
import type { Attack, Table } from '../attack.ts';
import { ask, type Door, everywhere, handshake, type Request, statusOf } from '../door.ts';

const HOSTS: [string, (door: Door) => string[]][] = [
  ['of another site', () => ['evil.example']],
  ['of another site with our port', ({ port }) => [`evil.example:${port}`]],
  ['with another port', () => ['127.0.0.1:1']],
  ['without a port', () => ['127.0.0.1']],
  ['that continues ours', ({ host }) => [`${host}.evil.example`]],
  ['that ends in ours', ({ host }) => [`evil.${host}`]],
  ['with a user', ({ host }) => [`evil@${host}`]],
  ['that is empty', () => ['']],
  ['with a final dot', ({ port }) => [`localhost.:${port}`]],
  ['in short form', ({ port }) => [`127.1:${port}`]],
  ['as one number', ({ port }) => [`2130706433:${port}`]],
  ['in hexadecimal', ({ port }) => [`0x7f000001:${port}`]],
  ['in octal', ({ port }) => [`0177.0.0.1:${port}`]],
  ['of every address', ({ port }) => [`0.0.0.0:${port}`]],
  ['of every IPv6 address', ({ port }) => [`[::]:${port}`]],
  ['mapped into IPv6', ({ port }) => [`[::ffff:127.0.0.1]:${port}`]],
  ['with a zone', ({ port }) => [`[::1%25lo]:${port}`]],
  ['as a list', ({ host }) => [`${host}, evil.example`]],
  ['as an address', ({ host }) => [`http://${host}`]],
  ['with a path', ({ host }) => [`${host}/`]],
  ['with a fragment', ({ host }) => [`${host}#evil.example`]],
  ['with a zero before the port', ({ port }) => [`127.0.0.1:0${port}`]],
  ['below localhost', ({ port }) => [`app.localhost:${port}`]],
  ['that looks like ours in Greek', ({ port }) => [`l\u03bfcalhost:${port}`]],
  ['twice, ours first', ({ host }) => [host, 'evil.example']],
  ['twice, ours last', ({ host }) => ['evil.example', host]],
  ['twice, both ours', ({ host }) => [host, host]],
];

const ORIGINS: [string, (door: Door) => string[]][] = [
  ['of another site', () => ['http://evil.example']],
  ['null', () => ['null']],
  ['NULL', () => ['NULL']],
  ['that is empty', () => ['']],
  ['of another local port', () => ['http://127.0.0.1:3000']],
  ['without a port', () => ['http://127.0.0.1']],
  ['of https', ({ host }) => [`https://${host}`]],
  ['of ws', ({ host }) => [`ws://${host}`]],
  ['of a file', () => ['file://']],
  ['of an extension', () => ['chrome-extension://aaaaaaaaaaaaaaaa']],
  ['that continues ours', ({ host }) => [`http://${host}.evil.example`]],
  ['that continues our port', ({ host }) => [`http://${host}0`]],
  ['that ends in ours', ({ host }) => [`http://evil.example/http://${host}`]],
  ['with a user', ({ host }) => [`http://${host}@evil.example`]],
  ['with a path', ({ host }) => [`http://${host}/`]],
  ['with a query', ({ host }) => [`http://${host}?evil.example`]],
  ['as a list', ({ host }) => [`http://${host} http://evil.example`]],
  ['in capitals', ({ host }) => [`HTTP://${host}`]],
  ['without a scheme', ({ host }) => [host]],
  ['twice, ours first', ({ host }) => [`http://${host}`, 'http://evil.example']],
  ['twice, both ours', ({ host }) => [`http://${host}`, `http://${host}`]],
];

const SITES = [
  'same-site',
  'cross-site',
  'none',
  'Same-Origin',
  'same-origin, cross-site',
  'x',
  '',
];

const CLAIMS: [string, (door: Door) => [string, string][]][] = [
  ['X-Forwarded-Host', ({ host }) => [['X-Forwarded-Host', host]]],
  ['X-Forwarded-For', () => [['X-Forwarded-For', '127.0.0.1']]],
  ['X-Forwarded-Proto', () => [['X-Forwarded-Proto', 'https']]],
  ['X-Forwarded-Port', ({ port }) => [['X-Forwarded-Port', port]]],
  ['X-Forwarded-User', () => [['X-Forwarded-User', 'admin']]],
  ['X-Original-URL', () => [['X-Original-URL', '/healthz']]],
  ['X-Rewrite-URL', () => [['X-Rewrite-URL', '/healthz']]],
  ['X-Original-Host', ({ host }) => [['X-Original-Host', host]]],
  ['Forwarded', ({ host }) => [['Forwarded', `for=127.0.0.1;host="${host}"`]]],
  ['X-Real-IP', () => [['X-Real-IP', '127.0.0.1']]],
  ['X-Client-IP', () => [['X-Client-IP', '127.0.0.1']]],
  ['X-Relay', () => [['X-Relay', '1']]],
  ['X-Scopes', () => [['X-Scopes', 'admin']]],
  ['X-Role', () => [['X-Role', 'admin']]],
  ['X-Remote-User', () => [['X-Remote-User', 'admin']]],
  ['Proxy-Authorization', ({ api }) => [['Proxy-Authorization', `Bearer ${api.token}`]]],
  [
    'Via and Max-Forwards',
    () => [
      ['Via', '1.1 localhost'],
      ['Max-Forwards', '0'],
    ],
  ],
  ['X-HTTP-Method-Override', () => [['X-HTTP-Method-Override', 'OPTIONS']]],
];

const HANDSHAKES: [string, Request][] = [
  ['of version 13 and 8', { headers: handshake({ 'Sec-WebSocket-Version': '13, 8' }) }],
  ['without a version', { headers: handshake({ 'Sec-WebSocket-Version': null }) }],
  ['without a key', { headers: handshake({ 'Sec-WebSocket-Key': null }) }],
  ['with a short key', { headers: handshake({ 'Sec-WebSocket-Key': 'c2hvcnQ=' }) }],
  ['to h2c', { headers: handshake({ Upgrade: 'h2c' }) }],
  ['without a Connection that says so', { headers: handshake({ Connection: 'close' }) }],
  ['by POST', { method: 'POST', headers: handshake() }],
  ['by PUT', { method: 'PUT', headers: handshake() }],
  ['without a token', { stranger: true, headers: handshake() }],
  [
    'with another subprotocol',
    { headers: handshake({ 'Sec-WebSocket-Protocol': 'loopwatch.v2' }) },
  ],
  [
    'with an empty ticket',
    { stranger: true, headers: handshake({ 'Sec-WebSocket-Protocol': 'loopwatch.v1, ticket.' }) },
  ],
  ['at another path', { target: '/wss', headers: handshake() }],
  ['at the API', { target: '/api/status', headers: handshake({ Connection: 'Upgrade, close' }) }],
  ['at a path that ends in ours', { target: '/x/../ws/', headers: handshake() }],
];

const METHODS: [string, Request][] = [
  ['TRACE', { method: 'TRACE' }],
  ['OPTIONS', { method: 'OPTIONS' }],
  [
    'OPTIONS of a preflight',
    { method: 'OPTIONS', headers: [['Access-Control-Request-Method', 'POST']] },
  ],
  ['PROPFIND', { method: 'PROPFIND' }],
  ['DELETE on what is only read', { method: 'DELETE' }],
  ['PUT on what is only read', { method: 'PUT' }],
  ['PATCH on the health of the daemon', { method: 'PATCH', target: '/healthz' }],
  ['POST on the page', { method: 'POST', target: '/' }],
  ['GET on what is only written', { target: '/api/tickets' }],
  [
    'POST with a method in its query',
    { method: 'POST', target: '/api/sessions/web?_method=DELETE' },
  ],
];

/** Whether a session called `web` is still there. */
async function isOpen(door: Door): Promise<boolean> {
  return (await ask(door, { target: '/api/sessions/web' })).status === 200;
}

const refused = expect.not.stringMatching(/^(1|2|3|5)/) as unknown;

export const HOST_TABLE: Table<Door> = {
  title: 'Host',
  twin: async (door) => everywhere(door, { hosts: [`LOCALHOST:${door.port}`] }),
  passes: [200, 200, 101],
  rows: HOSTS.map(([name, hosts]): Attack<Door> => ({
    rule: 'GA2',
    name: `a Host ${name} is refused by API, page and upgrade`,
    attack: async (door) => everywhere(door, { hosts: hosts(door) }),
    holds: [421, 421, 421],
  })),
};

export const ORIGIN_TABLE: Table<Door> = {
  title: 'Origin and Sec-Fetch-Site',
  twin: async (door) => everywhere(door, { headers: [['Origin', `http://${door.host}`]] }),
  passes: [200, 200, 101],
  rows: [
    ...ORIGINS.map(([name, origins]): Attack<Door> => ({
      rule: 'GA3',
      name: `an Origin ${name} is refused by API, page and upgrade`,
      attack: async (door) =>
        everywhere(door, { headers: origins(door).map((origin) => ['Origin', origin] as const) }),
      holds: [403, 403, 403],
    })),
    ...SITES.map((site): Attack<Door> => ({
      rule: 'GA14',
      name: `Sec-Fetch-Site "${site}" is refused by API and upgrade`,
      attack: async (door) => everywhere(door, { headers: [['Sec-Fetch-Site', site]] }),
      // A page that a person opens directly has no site of origin.
      holds: [403, site === 'none' ? 200 : 403, 403],
    })),
    {
      rule: 'GA14',
      name: 'Sec-Fetch-Site twice is refused by API, page and upgrade',
      attack: async (door) => {
        const headers = ['same-origin', 'same-origin'].map(
          (site) => ['Sec-Fetch-Site', site] as const,
        );
        return everywhere(door, { headers });
      },
      holds: [403, 403, 403],
    },
  ],
};

export const CLAIM_TABLE: Table<Door> = {
  title: 'claims of proxies and scopes',
  twin: async (door) => [
    await statusOf(door, {}),
    await statusOf(door, {}),
    await statusOf(door, {}),
  ],
  passes: [200, 200, 200],
  rows: CLAIMS.map(([name, claim]): Attack<Door> => ({
    rule: 'GA5',
    name: `${name} lowers no check`,
    attack: async (door) => {
      const headers = claim(door);
      return [
        await statusOf(door, { headers, hosts: ['evil.example'] }),
        await statusOf(door, { headers: [...headers, ['Origin', 'null']] }),
        await statusOf(door, { headers, stranger: true }),
      ];
    },
    holds: [421, 403, 401],
  })),
};

export const HANDSHAKE_TABLE: Table<Door> = {
  title: 'handshakes',
  twin: async (door) => String(await statusOf(door, { target: '/ws', headers: handshake() })),
  passes: '101',
  rows: HANDSHAKES.map(([name, request]): Attack<Door> => ({
    rule: 'TR4',
    name: `a handshake ${name} opens no WebSocket`,
    attack: async (door) => String(await statusOf(door, { target: '/ws', ...request })),
    holds: expect.not.stringMatching(/^101/),
  })),
};

export const METHOD_TABLE: Table<Door> = {
  title: 'methods',
  twin: async (door) => [String(await statusOf(door, {})), await isOpen(door)],
  passes: ['200', true],
  rows: METHODS.map(([name, request]): Attack<Door> => ({
    rule: 'WI1',
    name: `${name} is refused and has no effect`,
    attack: async (door) => [String(await statusOf(door, request)), await isOpen(door)],
    holds: [refused, true],
  })),
};
