/** The token where it must not count: another place, scheme or spelling. */
import type { RawHeaders } from '../../support/transport/raw-http.ts';
import type { Attack, Table } from '../attack.ts';
import { ask, type Door, statusOf } from '../door.ts';

/** Where the token is put instead of the one header: target and headers. */
const PLACES: [string, (token: string) => { target?: string; headers?: RawHeaders }][] = [
  ...['token', 'access_token', 'auth', 'authorization', 'key', 'k', 'code', 'ticket'].map(
    (name): [string, (token: string) => { target: string }] => [
      `in the query as ${name}`,
      (token) => ({ target: `/api/status?${name}=${token}` }),
    ],
  ),
  [
    'in the query with its scheme',
    (token) => ({ target: `/api/status?Authorization=Bearer%20${token}` }),
  ],
  ['in the path', (token) => ({ target: `/api/status;token=${token}` })],
  ['in the fragment', (token) => ({ target: `/api/status#k=${token}` })],
  ['as a user in the address', (token) => ({ target: `http://${token}@127.0.0.1/api/status` })],
  ['in a cookie', (token) => ({ headers: [['Cookie', `token=${token}`]] })],
  ['in a cookie of a session', (token) => ({ headers: [['Cookie', `__Host-session=${token}`]] })],
  ['as X-Api-Key', (token) => ({ headers: [['X-Api-Key', token]] })],
  ['as X-Auth-Token', (token) => ({ headers: [['X-Auth-Token', token]] })],
  ['as a subprotocol', (token) => ({ headers: [['Sec-WebSocket-Protocol', `ticket.${token}`]] })],
  ['as the user of Basic', (token) => ({ headers: [basic(`${token}:`)] })],
  ['as the password of Basic', (token) => ({ headers: [basic(`admin:${token}`)] })],
  ['without a scheme', (token) => ({ headers: [['Authorization', token]] })],
  ['with the scheme Token', (token) => ({ headers: [['Authorization', `Token ${token}`]] })],
  ['with the scheme Digest', (token) => ({ headers: [['Authorization', `Digest ${token}`]] })],
  ['with two schemes', (token) => ({ headers: [['Authorization', `Bearer Bearer ${token}`]] })],
  ['in quotes', (token) => ({ headers: [['Authorization', `Bearer "${token}"`]] })],
  ['in a list', (token) => ({ headers: [['Authorization', `Bearer x, Bearer ${token}`]] })],
  ['behind another one', (token) => ({ headers: twice('x'.repeat(43), token) })],
  ['without its last character', (token) => ({ headers: bearer(token.slice(0, -1)) })],
  ['without its first character', (token) => ({ headers: bearer(token.slice(1)) })],
  ['with a character more', (token) => ({ headers: bearer(`${token}A`) })],
  ['in the other case', (token) => ({ headers: bearer(swapCase(token)) })],
  ['twice in one', (token) => ({ headers: bearer(token + token) })],
  [
    'spelled for an address',
    (token) => ({ headers: bearer(`%${token.charCodeAt(0).toString(16)}${token.slice(1)}`) }),
  ],
  ['replaced by nothing', () => ({ headers: bearer('') })],
  ['replaced by null', () => ({ headers: bearer('null') })],
  ['replaced by undefined', () => ({ headers: bearer('undefined') })],
  ['replaced by 16 KB', () => ({ headers: bearer('x'.repeat(12_000)) })],
  ['replaced by __proto__', () => ({ headers: bearer('__proto__') })],
  ['replaced by a name', () => ({ headers: bearer('admin') })],
];

export const bearer = (token: string): RawHeaders => [['Authorization', `Bearer ${token}`]];
const basic = (pair: string) =>
  ['Authorization', `Basic ${Buffer.from(pair).toString('base64')}`] as const;
const twice = (first: string, second: string): RawHeaders => [...bearer(first), ...bearer(second)];
export const swapCase = (text: string) =>
  text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

/** `in`, or `out` for each way to be refused. */
export const letIn = (status: number): string => (status < 400 ? 'in' : 'out');

export const opens = (door: Door, headers: RawHeaders) =>
  statusOf(door, { target: '/api/me', stranger: true, headers });

export const PLACE_TABLE: Table<Door> = {
  title: 'places of a token',
  twin: async (door) => letIn(await opens(door, bearer(door.api.token))),
  passes: 'in',
  rows: PLACES.map(([name, place]): Attack<Door> => ({
    rule: 'GA4',
    name: `a token ${name} lets nobody in`,
    attack: async (door) => {
      const { target, headers } = place(door.api.token);
      const { status, body } = await ask(door, { target, stranger: true, headers });
      return body.includes('"epoch"') ? 'in' : letIn(status);
    },
    holds: 'out',
  })),
};
