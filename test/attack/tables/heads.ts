/** Heads with many, doubled or loose lines: the same answer from either engine. */
import { expect } from 'vitest';
import type { Attack, Table } from '../attack.ts';
import { ask, type Door, handshake } from '../door.ts';
import { askAgain, firstStatus } from '../wire.ts';

const EVIL: [rule: string, name: string, line: string][] = [
  ['GA2', 'a second Host', 'Host: evil.example'],
  ['GA3', 'a foreign Origin', 'Origin: http://evil.example'],
  ['GA14', 'a foreign fetch site', 'Sec-Fetch-Site: cross-site'],
];
/** Below what engines count, above it, and almost as many as fit into a head. */
const COUNTS = [20, 1_100, 1_900, 3_800];

/** The answers to a plain request and to an upgrade with that line after many empty ones. */
async function behindLines(door: Door, line: string, count: number): Promise<string[]> {
  const own = `Host: ${door.host}\r\nAuthorization: Bearer ${door.api.token}\r\n`;
  const rest = `${'a:\r\n'.repeat(count)}${line}\r\n\r\n`;
  const plain = `GET /api/status HTTP/1.1\r\n${own}Connection: close\r\n${rest}`;
  const lines = handshake().map(([name, value]) => `${name}: ${value}\r\n`);
  const upgrade = `GET /ws HTTP/1.1\r\n${own}${lines.join('')}${rest}`;
  return Promise.all([firstStatus(door, plain), firstStatus(door, upgrade)]);
}

// An engine may itself refuse this many lines.
const closedOrRefused = expect.stringMatching(/^(closed|4\d\d)$/) as unknown;

export const LINES_TABLE: Table<Door> = {
  title: 'lines behind many others',
  twin: async (door) => behindLines(door, 'X-Harmless: 1', 20),
  passes: ['200', '101'],
  rows: EVIL.flatMap(([rule, name, line]) =>
    COUNTS.map((count): Attack<Door> => ({
      rule,
      name: `${name} behind ${count} empty lines is refused`,
      attack: async (door) => behindLines(door, line, count),
      holds: [closedOrRefused, closedOrRefused],
    })),
  ),
};

const LAST: [name: string, method: string, target: string, status: string, more?: string][] = [
  ['HEAD of the page', 'HEAD', '/', '200'],
  ['HEAD of the health of the daemon', 'HEAD', '/healthz', '200'],
  ['HEAD of the API', 'HEAD', '/api/status', '200'],
  ['HEAD of nothing there is', 'HEAD', '/api/nothing', '404'],
  ['HEAD for another site', 'HEAD', '/api/status', '403', 'Origin: null\r\n'],
  ['HEAD in other letters', 'HEAD', '/healthz', '200', 'CONNECTION: CLOSE\r\n'],
  ['HEAD with a list', 'HEAD', '/healthz', '200', 'Connection: x, close\r\n'],
  ['GET of the API', 'GET', '/api/status', '200'],
  ['GET of nothing there is', 'GET', '/api/nothing', '404'],
  ['POST without a body', 'POST', '/api/sessions', '400', 'Content-Length: 0\r\n'],
  ['POST with a coding', 'POST', '/api/sessions', '400', 'Transfer-Encoding: gzip, chunked\r\n'],
  ['DELETE of nothing there is', 'DELETE', '/api/sessions/none', '404'],
];

async function asLast(door: Door, method: string, target: string, lines: string): Promise<string> {
  const own = `Host: ${door.host}\r\nAuthorization: Bearer ${door.api.token}\r\n`;
  const second = `GET /healthz HTTP/1.1\r\n${own}Connection: close\r\n\r\n`;
  return askAgain(door, `${method} ${target} HTTP/1.1\r\n${own}${lines}\r\n`, second);
}

export const LAST_TABLE: Table<Door> = {
  title: 'the last request of a connection',
  twin: async (door) => asLast(door, 'HEAD', '/healthz', ''),
  passes: '200 200',
  rows: LAST.map(([name, method, target, status, more = '']): Attack<Door> => ({
    rule: 'TR11',
    name: `behind ${name} with Connection: close nothing is answered`,
    attack: async (door) => {
      const close = /close/i.test(more) ? '' : 'Connection: close\r\n';
      return asLast(door, method, target, more + close);
    },
    holds: status,
  })),
};

const KEY = 'Sec-WebSocket-Key';
const VERSION = 'Sec-WebSocket-Version';

/** A handshake with one line replaced, and the answer. */
const LOOSE: [name: string, change: Record<string, string>, status: number, message: RegExp][] = [
  ...['8', '7', '14', '0', '', '13, 13', '8, 13', '013', '+13', '13.0', '1.3e1', '0xd', '13;x'].map(
    (version) => [`version "${version}"`, { [VERSION]: version }, 426, /Version: 13/] as never,
  ),
  ...[
    '!'.repeat(24),
    '='.repeat(24),
    'A'.repeat(24),
    `${'A'.repeat(22)}=`,
    `${'A'.repeat(22)}===`,
    `${'A'.repeat(21)}B==`,
    `${'-'.repeat(22)}==`,
    `${'A'.repeat(10)} ${'A'.repeat(11)}==`,
    `"${'A'.repeat(22)}=="`,
    `${'A'.repeat(22)}==, ${'A'.repeat(22)}==`,
    '',
  ].map((key) => [`the key "${key}"`, { [KEY]: key }, 400, /Key exactly once, 16 bytes/] as never),
  ...[
    'h2c, websocket',
    'websocket, h2c',
    'websocket, websocket',
    'websocket/13',
    'web socket',
    'websocket;q=1',
    'TLS/1.3',
  ].map((word) => [`Upgrade: ${word}`, { Upgrade: word }, 400, /Upgrade: websocket/] as never),
];

const DOUBLED = ['Upgrade', VERSION, KEY];

async function shake(door: Door, headers: ReturnType<typeof handshake>) {
  const answer = await ask(door, { target: '/ws', headers });
  // After a 101 there may already be frames.
  return { status: answer.status, message: answer.status === 101 ? '' : answer.body };
}

export const LOOSE_TABLE: Table<Door> = {
  title: 'loose handshakes',
  twin: async (door) => shake(door, handshake({ Upgrade: 'WebSocket' })),
  passes: { status: 101, message: '' },
  rows: [
    ...LOOSE.map(([name, change, status, message]): Attack<Door> => ({
      rule: 'TR12',
      name: `a handshake of ${name} is answered with what is wanted`,
      attack: async (door) => shake(door, handshake(change)),
      holds: { status, message: expect.stringMatching(message) as unknown },
    })),
    ...DOUBLED.map((name): Attack<Door> => ({
      rule: 'TR12',
      name: `a handshake with two lines ${name} is answered with what is wanted`,
      attack: async (door) => {
        const lines = handshake();
        return shake(door, [...lines, ...lines.filter(([line]) => line === name)]);
      },
      holds: {
        status: name === VERSION ? 426 : 400,
        message: expect.stringMatching(/it requires .*once/) as unknown,
      },
    })),
  ],
};
