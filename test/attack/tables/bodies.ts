/** Bodies and queries that every route must refuse. */
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { sendRaw } from '../../support/transport/raw-http.ts';
import type { Attack, Table } from '../attack.ts';
import type { Door } from '../door.ts';

const LISTS = [
  '/api/sessions',
  '/api/people',
  '/api/alerts',
  '/api/v1/tasks',
  '/api/v1/prompts',
  '/api/task-auto',
];

interface Sent {
  method?: string;
  path?: string;
  type?: string | null;
  body: string | Uint8Array;
  headers?: readonly (readonly [string, string])[];
}

/** The answer, and whether everything is unchanged. */
async function send(door: Door, sent: Sent) {
  const before = await everything(door);
  const { method = 'POST', path = '/api/sessions', type = 'application/json', body } = sent;
  const bytes = Buffer.from(body);
  const { status } = await sendRaw(door.api.url, {
    method,
    target: path,
    body: bytes,
    headers: [
      ['Host', door.host] as const,
      ['Connection', 'close'] as const,
      ['Authorization', `Bearer ${door.api.token}`],
      ['Content-Length', String(bytes.length)],
      ...(type === null ? [] : [['Content-Type', type] as const]),
      ...(sent.headers ?? []),
    ],
  });
  return { status, unchanged: (await everything(door)) === before };
}

async function everything({ api }: Door): Promise<string> {
  const lists = await Promise.all(LISTS.map(async (path) => (await api.get(path)).body));
  // Ages and request counts keep changing.
  return JSON.stringify(lists, (key, value: unknown) => (/_at$|seconds/.test(key) ? null : value));
}

const refused = {
  status: expect.toSatisfy((status) => status >= 400 && status < 500) as unknown,
  unchanged: true,
};
const harmless = async (door: Door) =>
  send(door, { body: JSON.stringify({ name: `n${Date.now()}`, cwd: door.world.taskDir('web') }) });

const session = (more: object, { world }: Door) =>
  JSON.stringify({ name: 'extra', cwd: world.taskDir('web'), ...more });

const TEXTS: [string, (door: Door) => string | Uint8Array][] = [
  ['nothing', () => ''],
  ['blanks', () => ' \n\t '],
  ['a half object', () => '{"name":"extra"'],
  ['single quotes', () => "{'name':'extra'}"],
  ['a final comma', (door) => session({}, door).replace('}', ',}')],
  ['a comment', (door) => `/* */${session({}, door)}`],
  ['two documents', (door) => session({}, door).repeat(2)],
  ['a byte order mark in UTF-16', (door) => Buffer.from(`\ufeff${session({}, door)}`, 'utf16le')],
  ['bytes that are no UTF-8', (door) => Buffer.from(session({ name: 'x\u00ff' }, door), 'latin1')],
  ['an overlong slash', (door) => Buffer.from(session({ name: 'a\u00c0\u00afb' }, door), 'latin1')],
  ['a NUL between keys', (door) => session({}, door).replace(',', ',\0')],
  ['NaN', () => '{"name":NaN,"cwd":"/"}'],
  ['Infinity', () => '{"name":Infinity,"cwd":"/"}'],
  ['a list', (door) => `[${session({}, door)}]`],
  ['a text', (door) => JSON.stringify(session({}, door))],
  ['null', () => 'null'],
  ['30,000 brackets', () => '['.repeat(30_000)],
  ['30,000 nested lists', () => '['.repeat(30_000) + ']'.repeat(30_000)],
  [
    '10,000 nested objects as a name',
    () => `{"name":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)},"cwd":"/"}`,
  ],
  ['an unknown key', (door) => session({ role: 'admin' }, door)],
  ['a key in the other case', (door) => session({ NAME: 'other' }, door)],
  ['a key with a blank', (door) => session({ 'name ': 'other' }, door)],
  ['__proto__', (door) => session({}, door).replace('{', '{"__proto__":{"role":"admin"},')],
  [
    'constructor.prototype',
    (door) => session({ constructor: { prototype: { role: 'admin' } } }, door),
  ],
  ['toString as a key', (door) => session({ toString: 'x' }, door)],
  ['hasOwnProperty as a key', (door) => session({ hasOwnProperty: 1 }, door)],
  [
    '5,000 unknown keys',
    (door) =>
      session(Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, n])), door),
  ],
  ['a key of 50 KB', (door) => session({ ['k'.repeat(50_000)]: 1 }, door)],
  ['a name twice, the last one bad', (door) => session({}, door).replace('}', ',"name":"../x"}')],
  ['a number as a name', (door) => session({ name: 1 }, door)],
  ['a list as a name', (door) => session({ name: ['extra'] }, door)],
  ['an object as a name', (door) => session({ name: { toString: 'extra' } }, door)],
  ['true as a name', (door) => session({ name: true }, door)],
  ['a lone surrogate as a name', (door) => session({}, door).replace('extra', '\\ud800')],
  ['a number as a directory', (door) => session({ cwd: 1 }, door)],
  ['a list as a directory', (door) => session({ cwd: ['/'] }, door)],
];

const TYPES: [string, Partial<Sent>][] = [
  ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'].map(
    typed,
  ),
  ...[
    'text/json',
    'application/jsonp',
    'application/json5',
    'application/jsonx',
    'application/ld+json',
  ].map(typed),
  ...['application/json, text/plain', 'text/plain; application/json', 'json', '*/*', ''].map(typed),
  ...['APPLICATION/XML', 'application/octet-stream', 'text/html', 'image/svg+xml'].map(typed),
  ['no type', { type: null }],
  ['a type twice', { headers: [['Content-Type', 'text/plain']] }],
];

function typed(type: string): [string, Partial<Sent>] {
  return [`the type "${type}"`, { type }];
}

const CODINGS = ['gzip', 'deflate', 'br', 'zstd', 'x-gzip'];

export const TEXT_TABLE: Table<Door> = {
  title: 'JSON that is none',
  twin: harmless,
  passes: { status: 201, unchanged: false },
  rows: TEXTS.map(([name, body]): Attack<Door> => ({
    rule: 'WI4',
    name: `a body with ${name} is refused, and nothing is lost`,
    attack: async (door) => send(door, { body: body(door) }),
    holds: refused,
  })),
};

export const TYPE_TABLE: Table<Door> = {
  title: 'types of a body',
  twin: harmless,
  passes: { status: 201, unchanged: false },
  rows: [
    ...TYPES.map(([name, sent]): Attack<Door> => ({
      rule: 'WI13',
      name: `a body of ${name} is refused, and nothing is lost`,
      attack: async (door) => send(door, { body: session({}, door), ...sent }),
      holds: refused,
    })),
    ...CODINGS.map((coding): Attack<Door> => ({
      rule: 'WI4',
      name: `a body packed with ${coding} is not unpacked`,
      attack: async (door) =>
        send(door, { body: gzipSync(session({}, door)), headers: [['Content-Encoding', coding]] }),
      holds: refused,
    })),
  ],
};

/** Each is valid except for one value. */
export const valueTable = (
  title: string,
  rows: readonly (readonly [
    rule: string,
    name: string,
    path: string,
    body: object,
    method?: string,
  ])[],
): Table<Door> => ({
  title,
  twin: harmless,
  passes: { status: 201, unchanged: false },
  rows: rows.map(([rule, name, path, body, method]): Attack<Door> => ({
    rule,
    name: `${name} is refused, and nothing is lost`,
    attack: async (door) => {
      // Only used where a valid directory is needed, so that nothing else is wrong.
      const text = JSON.stringify(body).replaceAll('DIRECTORY', door.world.taskDir('web'));
      return send(door, { path, method, body: text });
    },
    holds: refused,
  })),
});
