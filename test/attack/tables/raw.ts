/** Bytes that are no proper request: its end must never be ambiguous. */
import { expect } from 'vitest';
import type { Attack, Table } from '../attack.ts';
import { answersTo, type Door } from '../door.ts';

const KIB = 1024;

/** Header lines of a POST, and the bytes after the head. */
const FRAMINGS: [string, string, string][] = [
  ['two equal lengths', 'Content-Length: 2\r\nContent-Length: 2\r\n', '{}'],
  ['two lengths', 'Content-Length: 2\r\nContent-Length: 0\r\n', '{}'],
  ['a list of lengths', 'Content-Length: 2, 2\r\n', '{}'],
  ['a signed length', 'Content-Length: +2\r\n', '{}'],
  ['a negative length', 'Content-Length: -1\r\n', '{}'],
  ['a hexadecimal length', 'Content-Length: 0x2\r\n', '{}'],
  ['a length with an exponent', 'Content-Length: 2e0\r\n', '{}'],
  ['a length with a fraction', 'Content-Length: 2.0\r\n', '{}'],
  ['an empty length', 'Content-Length: \r\n', '{}'],
  ['a length in two parts', 'Content-Length: 2 2\r\n', '{}'],
  ['a length beyond 64 bits', 'Content-Length: 18446744073709551618\r\n', '{}'],
  ['a length in words', 'Content-Length: two\r\n', '{}'],
  ['a length, then chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'],
  ['chunks, then a length', 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', '0\r\n\r\n'],
  ['the coding gzip', 'Transfer-Encoding: gzip\r\n', '{}'],
  ['the coding identity', 'Transfer-Encoding: identity\r\n', '{}'],
  ['an unknown coding', 'Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'],
  ['chunks that are not last', 'Transfer-Encoding: chunked, gzip\r\n', '0\r\n\r\n'],
  ['chunks twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'],
  ['gzip, then chunks', 'Transfer-Encoding: gzip, chunked\r\n', '0\r\n\r\n'],
  ['deflate and chunks', 'Transfer-Encoding: deflate,chunked\r\n', '0\r\n\r\n'],
  ['identity, then chunks', 'Transfer-Encoding: identity, chunked\r\n', '0\r\n\r\n'],
  ['chunks twice in one line', 'Transfer-Encoding: chunked, chunked\r\n', '0\r\n\r\n'],
  ['an empty coding before chunks', 'Transfer-Encoding: , chunked\r\n', '0\r\n\r\n'],
  [
    'gzip in a line of its own, then chunks',
    'Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n',
    '0\r\n\r\n',
  ],
  ['quoted chunks', 'Transfer-Encoding: "chunked"\r\n', '0\r\n\r\n'],
  ['chunks with a parameter', 'Transfer-Encoding: chunked;q=1\r\n', '0\r\n\r\n'],
  ['an empty coding', 'Transfer-Encoding:\r\n', '{}'],
  ['a blank before the colon', 'Transfer-Encoding : chunked\r\n', '0\r\n\r\n'],
  ['a coding on a folded line', 'Transfer-Encoding:\r\n chunked\r\n', '0\r\n\r\n'],
  ['a folded line', 'X-Fold: a\r\n b\r\nContent-Length: 2\r\n', '{}'],
  ['a bare CR in a value', 'X-Bare: a\rContent-Length: 2\r\n', '{}'],
  ['a NUL in a value', 'X-Nul: a\0b\r\nContent-Length: 2\r\n', '{}'],
  ['a NUL in a name', 'X\0Nul: a\r\nContent-Length: 2\r\n', '{}'],
  ['a blank in a name', 'X Blank: a\r\nContent-Length: 2\r\n', '{}'],
  ['a line without a colon', 'nothing\r\nContent-Length: 2\r\n', '{}'],
  ['a line without a name', ': nothing\r\nContent-Length: 2\r\n', '{}'],
  ['a chunk size in words', 'Transfer-Encoding: chunked\r\n', 'zz\r\n{}\r\n0\r\n\r\n'],
  ['a negative chunk', 'Transfer-Encoding: chunked\r\n', '-2\r\n{}\r\n0\r\n\r\n'],
  ['a signed chunk', 'Transfer-Encoding: chunked\r\n', '+2\r\n{}\r\n0\r\n\r\n'],
  ['a chunk of 0x2', 'Transfer-Encoding: chunked\r\n', '0x2\r\n{}\r\n0\r\n\r\n'],
  [
    'a chunk beyond 64 bits',
    'Transfer-Encoding: chunked\r\n',
    '10000000000000002\r\n{}\r\n0\r\n\r\n',
  ],
  ['a chunk without an end', 'Transfer-Encoding: chunked\r\n', '2\r\n{}X\r\n0\r\n\r\n'],
  ['a chunk longer than told', 'Transfer-Encoding: chunked\r\n', '1\r\n{}\r\n0\r\n\r\n'],
  ['an empty chunk size', 'Transfer-Encoding: chunked\r\n', '\r\n{}\r\n0\r\n\r\n'],
];

/** Whole requests that replace the first line and head. */
const HEADS: [string, (door: Door) => string | Uint8Array][] = [
  ['HTTP/0.9', () => 'GET /healthz\r\n\r\n'],
  ['HTTP/1.0 without a Host', () => 'GET /healthz HTTP/1.0\r\n\r\n'],
  ['HTTP/2 by its preface', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['HTTP/2.0 in the first line', ({ host }) => `GET /healthz HTTP/2.0\r\nHost: ${host}\r\n\r\n`],
  ['HTTP/9.9', ({ host }) => `GET /healthz HTTP/9.9\r\nHost: ${host}\r\n\r\n`],
  ['another protocol', ({ host }) => `GET /healthz ICAP/1.1\r\nHost: ${host}\r\n\r\n`],
  ['TLS', () => Buffer.from('16030100a5010000a10303'.padEnd(300, '0'), 'hex')],
  ['SSH', () => 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
  ['SMTP', () => 'EHLO evil.example\r\nMAIL FROM:<a@b>\r\n\r\n'],
  ['Redis', () => '*1\r\n$4\r\nPING\r\n\r\n'],
  ['zeros', () => Buffer.alloc(KIB)],
  ['a method in lower case', ({ host }) => `get /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
  [
    'a method with a control byte',
    ({ host }) => `G\u0001T /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  ],
  ['a blank in its target', ({ host }) => `GET /health z HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
  ['no target', ({ host }) => `GET  HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
  ['a target without a slash', ({ host }) => `GET healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
  [
    'a target of 17 KiB',
    ({ host }) => `GET /${'a'.repeat(17 * KIB)} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  ],
  [
    'a header of 20 KiB',
    ({ host }) => `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nX: ${'a'.repeat(20 * KIB)}\r\n\r\n`,
  ],
  ['CONNECT', ({ host }) => `CONNECT 169.254.169.254:80 HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
];

/** The smuggled request: if it counted as a request of its own, its answer would be the second one. */
const behind = ({ host }: Door) =>
  `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;

async function post(door: Door, lines: string, body: string): Promise<string> {
  const head = `POST /api/sessions/nobody/input HTTP/1.1\r\nHost: ${door.host}\r\n`;
  const known = `Authorization: Bearer ${door.api.token}\r\nContent-Type: application/json\r\n`;
  return answersTo(door, `${head}${known}${lines}\r\n${body}${behind(door)}`);
}

const refusedOnce = expect.stringMatching(/^(closed|4\d\d|50[15])$/) as unknown;

export const FRAMING_TABLE: Table<Door> = {
  title: 'the end of a request',
  twin: async (door) => post(door, 'Content-Length: 2\r\n', '{}'),
  passes: '400 200',
  rows: FRAMINGS.map(([name, lines, body]): Attack<Door> => ({
    rule: 'TR16',
    name: `${name}: refused, and what is behind is no request`,
    attack: async (door) => post(door, lines, body),
    holds: refusedOnce,
  })),
};

export const HEAD_TABLE: Table<Door> = {
  title: 'the head of a request',
  twin: async (door) => answersTo(door, behind(door)),
  passes: '200',
  rows: HEADS.map(([name, bytes]): Attack<Door> => ({
    rule: 'TR16',
    name: `a request of ${name} is refused, and what is behind is no request`,
    attack: async (door) =>
      answersTo(door, Buffer.concat([Buffer.from(bytes(door)), Buffer.from(behind(door))])),
    holds: refusedOnce,
  })),
};
