/** Names of sessions, and the addresses of routes, spelled to lead elsewhere. */
import { expect } from 'vitest';
import type { Attack, Table } from '../attack.ts';
import { ask, type Door } from '../door.ts';

const NAMES = [
  '..',
  '.',
  'a/b',
  'a b',
  'a:b',
  'a.b',
  '=main',
  '%0',
  '@1',
  '$1',
  '#(id)',
  '#{pid}',
  '{last}',
  '!',
  'a\n',
  'a\0',
  'a;b',
  "a'b",
  'a"b',
  'ä',
  '１',
  'x'.repeat(33),
  '',
  '*',
  '~',
  'main:0.0',
  'a\u202e',
  '<b>',
];

export const NAME_TABLE: Table<Door> = {
  title: 'names of sessions',
  twin: async ({ api, world }) => {
    const answer = await api.send('POST', '/api/sessions', {
      name: 'fine-1',
      cwd: world.taskDir('web'),
    });
    return answer.status;
  },
  passes: 201,
  rows: NAMES.map((name): Attack<Door> => ({
    rule: 'SE1',
    name: `no session is called ${JSON.stringify(name)}`,
    attack: async ({ api, world }) =>
      (await api.send('POST', '/api/sessions', { name, cwd: world.taskDir('web') })).status,
    holds: 400,
  })),
};

const SPELLINGS = [
  '/%61pi/status',
  '//api/status',
  '/./api/status',
  '/x/../api/status',
  '/api/status/',
  '/API/status',
  '/api;/status',
  '/api%2fstatus',
  '/healthz/../api/status',
  '/healthz%2f..%2fapi/status',
  '/healthz;/api/status',
  '/api/status%00',
  '/api\\status',
  '/metrics/',
  '/%6detrics',
  '//metrics',
  '/api//status',
  '/api/./status',
  '/api/status?x=/healthz',
  '/api/status#/healthz',
  '/api/people',
  '/api/openapi.json/../people',
  '/../../package.json',
  '/%2e%2e/%2e%2e/home/token',
  '/..%2f..%2fhome%2ftoken',
  '/..%5c..%5chome%5ctoken',
  '/....//....//home/token',
  '/%252e%252e/home/token',
  '/_app/../../home/token',
  '/.git/config',
  '/.env',
];

/** Text from answers of closed routes, or from files of the daemon. */
const CLOSED = /"epoch"|"people"|loopwatch_|"dependencies"/;

async function read(door: Door, target: string, stranger: boolean): Promise<string> {
  const { body } = await ask(door, { target, stranger });
  return CLOSED.test(body) || body.includes(door.api.token) ? 'told' : 'nothing';
}

export const SPELLING_TABLE: Table<Door> = {
  title: 'spellings of an address',
  twin: async (door) => read(door, '/api/status', false),
  passes: 'told',
  rows: SPELLINGS.map((target): Attack<Door> => ({
    rule: 'GA4',
    name: `${target} tells a stranger nothing`,
    attack: async (door) => read(door, target, true),
    holds: 'nothing',
  })),
};

const IDS = [
  '%2e%2e',
  '..%2fweb',
  'web%2f..',
  'web%00',
  '%00',
  'web%0a',
  'web%20',
  'WEB',
  'we%62%00',
  '%ff',
  '%',
  'we*',
  '=web',
  'web;x',
  'w',
  'webb',
  '__proto__',
  'constructor',
  'x'.repeat(300),
];
const PLACES = [
  ['SE8', '/api/sessions/', '/screen'],
  ['TW3', '/api/v1/tasks/by-name/', '/diff'],
] as const;

export const ID_TABLE: Table<Door> = {
  title: 'ids in an address',
  twin: async (door) => (await ask(door, { target: '/api/sessions/web/screen' })).status,
  passes: 200,
  rows: PLACES.flatMap(([rule, before, behind]) =>
    IDS.map((id): Attack<Door> => ({
      rule,
      name: `${before}${id.slice(0, 20)}${behind} leads to nothing`,
      attack: async (door) => (await ask(door, { target: before + id + behind })).status,
      holds: expect.toSatisfy((status) => status === 404 || status === 400) as unknown,
    })),
  ),
};
