/** Frames and bytes on a WebSocket that our client never sends. */
import { expect } from 'vitest';
import { openRaw } from '../../support/transport/raw-http.ts';
import { WsClient } from '../../support/transport/ws-client.ts';
import type { Attack, Table } from '../attack.ts';
import { handshake } from '../door.ts';
import type { Callers } from './roles.ts';

const MARK = 987_654;

/** Opens a WebSocket as that caller, sends, and returns the codes of the error frames or of the close. */
async function errorsAfter(
  { api, tokens }: Callers,
  frames: readonly (string | object | Uint8Array)[],
  caller: 'an admin' | 'operator' | 'viewer' = 'an admin',
): Promise<string> {
  await using client = new WsClient(api.url, { token: tokens[caller] ?? '' });
  await client.next('welcome');
  const codes: string[] = [];
  client.socket.on('message', (data, isBinary) => {
    if (isBinary) return;
    const frame = JSON.parse((data as Buffer).toString()) as { type: string; code?: string };
    if (frame.type === 'error') codes.push(frame.code ?? '');
  });
  for (const frame of frames) {
    const isRaw = typeof frame === 'string' || frame instanceof Uint8Array;
    client.socket.send(isRaw ? frame : JSON.stringify(frame));
  }
  // Frames are answered in order: every refusal precedes this answer.
  client.send({ type: 'subscribe', id: MARK, types: ['daemon.started'] });
  const heard = async () => {
    while ((await client.next('subscribed')).id !== MARK);
    return codes.length === 0 ? 'taken' : codes.join(' ');
  };
  const closed = client.closed.then(({ code }) => `closed ${code}`);
  return await Promise.race([heard().catch(async () => closed), closed]);
}

/** The connection is reset when more data was on its way. */
const tooLarge = expect.stringMatching(/^closed 10(?:09|06)$/) as unknown;

const subscribe = (more: object) => ({ type: 'subscribe', id: 1, types: ['*'], ...more });
const attach = (more: object) => ({ type: 'attach', session: 'web', cols: 80, rows: 24, ...more });

const INVALID: [string, string | object][] = [
  ['nothing', ''],
  ['half an object', '{"type":"ping"'],
  ['two objects', '{"type":"ping"}{"type":"ping"}'],
  ['a number', '5'],
  ['a list of frames', '[{"type":"ping"}]'],
  ['no type', {}],
  ['an unknown type', { type: 'exec', command: 'id' }],
  ['a type in capitals', { type: 'PING' }],
  ['a type as a list', { type: ['ping'] }],
  ['a type called __proto__', { type: '__proto__' }],
  ['a type called constructor', { type: 'constructor' }],
  ['__proto__ as a key', '{"type":"ping","__proto__":{"role":"admin"}}'],
  ['a role of its own', { type: 'ping', role: 'admin' }],
  ['a frame of the daemon', { type: 'welcome', protocol: 1, epoch: 'x', head: 0, server: 'x' }],
  ['an event of its own', { type: 'event', event: { type: 'auto.ended' } }],
  ['20,000 brackets', '['.repeat(20_000)],
  ['20,000 nested lists', '['.repeat(20_000) + ']'.repeat(20_000)],
  ['no topics', subscribe({ types: [] })],
  ['65 topics', subscribe({ types: Array(65).fill('auto.*') })],
  ['a topic of 65 characters', subscribe({ types: ['x'.repeat(65)] })],
  ['a number as a topic', subscribe({ types: [1] })],
  ['a negative id', subscribe({ id: -1 })],
  ['an id of 1e400', '{"type":"subscribe","id":1e400,"types":["*"]}'],
  ['a text as a cursor', subscribe({ after: '1' })],
  ['a negative cursor', subscribe({ after: -1 })],
  ['half a cursor', subscribe({ after: 0.5 })],
  ['a cursor beyond whole numbers', subscribe({ after: 1e300 })],
  ['an epoch of 41 characters', subscribe({ after: 1, epoch: 'x'.repeat(41) })],
  ['257 sessions', subscribe({ sessions: Array(257).fill('web') })],
  ['a session with a path', subscribe({ sessions: ['../web'] })],
  ['a negative acknowledgement', { type: 'ack', seq: -1 }],
  ['an acknowledgement of NaN', '{"type":"ack","seq":NaN}'],
  ['a watch of a format', { type: 'watch', session: '#{pid}' }],
  ['a watch of a target', { type: 'watch', session: '=main:0' }],
  ['a watch of a list', { type: 'watch', session: ['web'] }],
  ['negative columns', attach({ cols: -1 })],
  ['no rows', attach({ rows: 0 })],
  ['half a column', attach({ cols: 80.5 })],
  ['a million columns', attach({ cols: 1_000_000 })],
  ['rows as text', attach({ rows: '24' })],
  ['control as text', attach({ control: 'yes' })],
  ['control as a number', attach({ control: 1 })],
  ['an unknown key', attach({ force: true })],
  ['a terminal by its path', attach({ session: '/dev/tty' })],
  ['a size of -1', { type: 'resize', cols: -1, rows: -1 }],
  ['a size of 1e9', { type: 'resize', cols: 1e9, rows: 1e9 }],
];

type Sent = readonly (string | object | Uint8Array)[];

const REFUSED: [rule: string, name: string, sent: Sent, code: string][] = [
  ['EV7', 'an unknown type of event', [subscribe({ types: ['auto.nothing'] })], 'unknown_type'],
  ['EV7', 'a pattern with a star inside', [subscribe({ types: ['a*.b'] })], 'unknown_type'],
  ['EV7', 'the type __proto__', [subscribe({ types: ['__proto__'] })], 'unknown_type'],
  ['EV4', 'a cursor without its epoch', [subscribe({ after: 1 })], 'epoch_required'],
  [
    'WI8',
    'a watch of a session that is not there',
    [{ type: 'watch', session: 'gone' }],
    'session_unknown',
  ],
  ['WI8', 'a watch of __proto__', [{ type: 'watch', session: '__proto__' }], 'session_unknown'],
  [
    'WI8',
    'an attachment to a session that is not there',
    [attach({ session: 'gone' })],
    'session_unknown',
  ],
  ['LT6', 'keys without an attachment', [Buffer.from('touch pwned\r')], 'not_attached'],
  ['LT6', 'keys after leaving', [attach({}), { type: 'detach' }, Buffer.from('x')], 'not_attached'],
  [
    'LT6',
    'keys of one who looks on',
    [attach({ control: false }), Buffer.from('x')],
    'not_controller',
  ],
  [
    'LT12',
    'a size of one who looks on',
    [attach({ control: false }), { type: 'resize', cols: 90, rows: 30 }],
    'not_controller',
  ],
  ['LT6', 'a size without an attachment', [{ type: 'resize', cols: 90, rows: 30 }], 'not_attached'],
];

const AS_VIEWER: [string, Sent][] = [
  ['an attachment with control', [attach({})]],
  ['an attachment that takes control', [attach({ take: true })]],
  ['an attachment that takes without control', [attach({ control: true, take: false })]],
  ['a size', [{ type: 'resize', cols: 90, rows: 30 }]],
  ['keys', [Buffer.from('touch pwned\r')]],
  ['keys after looking on', [attach({ control: false }), Buffer.from('touch pwned\r')]],
  ['a size after looking on', [attach({ control: false }), { type: 'resize', cols: 90, rows: 30 }]],
];

/** Bytes after a handshake; masked frames use a mask of zeros. */
const BROKEN: [string, number[]][] = [
  ['a compressed frame', [0xc1, 0x82, 0, 0, 0, 0, 0x7b, 0x7d]],
  ['a second reserved bit', [0xa1, 0x82, 0, 0, 0, 0, 0x7b, 0x7d]],
  ['a third reserved bit', [0x91, 0x82, 0, 0, 0, 0, 0x7b, 0x7d]],
  ['the opcode 3', [0x83, 0x80, 0, 0, 0, 0]],
  ['the opcode 15', [0x8f, 0x80, 0, 0, 0, 0]],
  ['a ping in two parts', [0x09, 0x80, 0, 0, 0, 0]],
  ['a close in two parts', [0x08, 0x80, 0, 0, 0, 0]],
  ['a ping of 126 bytes', [0x89, 0xfe, 0, 126, 0, 0, 0, 0, ...Array<number>(126).fill(65)]],
  ['a part of nothing', [0x80, 0x82, 0, 0, 0, 0, 0x7b, 0x7d]],
  ['a text within a text', [0x01, 0x81, 0, 0, 0, 0, 0x7b, 0x81, 0x81, 0, 0, 0, 0, 0x7d]],
  ['a length beyond 63 bits', [0x82, 0xff, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0]],
  ['a length of 4 GiB', [0x82, 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]],
  ['a close of one byte', [0x88, 0x81, 0, 0, 0, 0, 3]],
  ['a close with the code 1005', [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xed]],
  ['a close with the code 0', [0x88, 0x82, 0, 0, 0, 0, 0, 0]],
  ['a text that is no UTF-8', [0x81, 0x83, 0, 0, 0, 0, 0x7b, 0xff, 0x7d]],
  ['a request of HTTP', [...Buffer.from('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')]],
];

/** Whether the daemon closed without an HTTP answer or an event. */
async function endAfter({ api, host, tokens }: Callers, bytes: number[]): Promise<string> {
  const authorization = ['Authorization', `Bearer ${tokens['an admin'] ?? ''}`] as const;
  const socket = openRaw(api.url, {
    target: '/ws',
    headers: [['Host', host], authorization, ...handshake()],
  });
  const received: Buffer[] = [];
  socket.on('error', () => undefined);
  socket.on('data', (data) => {
    if (received.length === 0) socket.write(Buffer.from(bytes));
    received.push(data);
    if (Buffer.concat(received).includes('pong')) socket.destroy();
  });
  await new Promise((resolve) => socket.once('close', resolve));
  const all = Buffer.concat(received).toString('latin1');
  return all.includes('pong') ? 'taken' : `cut after ${all.split('HTTP/1.1 ').length - 1} answer`;
}

const PING = Buffer.from('{"type":"ping"}');

export const FRAME_TABLES: readonly Table<Callers>[] = [
  {
    title: 'frames that are none',
    twin: async (scene) => errorsAfter(scene, [{ type: 'ping' }]),
    passes: 'taken',
    rows: [
      ...INVALID.map(([name, frame]): Attack<Callers> => ({
        rule: 'WI12',
        name: `a frame of ${name} is an error frame`,
        attack: async (scene) => errorsAfter(scene, [frame]),
        holds: 'invalid_frame',
      })),
      ...REFUSED.map(([rule, name, frames, code]): Attack<Callers> => ({
        rule,
        name: `${name}: ${code}`,
        holds: code,
        attack: async (scene) => errorsAfter(scene, frames),
      })),
      ...AS_VIEWER.map(([name, frames]): Attack<Callers> => ({
        rule: 'PE10',
        name: `${name} of a viewer is refused`,
        attack: async (scene) => errorsAfter(scene, frames, 'viewer'),
        holds: 'role_too_low',
      })),
      {
        rule: 'UL3',
        name: 'a frame of 64 KiB and a byte ends its sender',
        attack: async (scene) => errorsAfter(scene, [' '.repeat(64 * 1024 + 1)]),
        holds: tooLarge,
      },
      {
        rule: 'UL3',
        name: 'keys of 64 KiB and a byte end their sender',
        attack: async (scene) => errorsAfter(scene, [Buffer.alloc(64 * 1024 + 1)]),
        holds: tooLarge,
      },
      {
        rule: 'WI12',
        name: 'a flood of pings is cut',
        attack: async (scene) =>
          errorsAfter(scene, Array(2_000).fill({ type: 'ping' }) as object[]),
        holds: 'closed 4400',
      },
      {
        rule: 'WI12',
        name: 'ten bad frames are the last',
        attack: async (scene) => errorsAfter(scene, Array(30).fill('{') as string[]),
        holds: expect.stringMatching(/4400$/),
      },
    ],
  },
  {
    title: 'bytes that are no frame',
    twin: async (scene) => endAfter(scene, [0x81, 0x80 + PING.length, 0, 0, 0, 0, ...PING]),
    passes: 'taken',
    rows: BROKEN.map(([name, bytes]): Attack<Callers> => ({
      rule: 'TR19',
      name: `${name} ends the connection`,
      attack: async (scene) => endAfter(scene, bytes),
      holds: 'cut after 1 answer',
    })),
  },
];
