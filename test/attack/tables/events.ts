/**
 * Cursors, filters and waits that no reader has: each is refused or reported as one that cannot be
 * honoured.
 */
import type { Attack, Table } from '../attack.ts';
import { ask, type Door } from '../door.ts';

const REFUSED: [rule: string, target: string][] = [
  ...[
    '',
    '-1',
    '1.5',
    '1e3',
    'x',
    ':1',
    '1:',
    'a:b',
    ' 1',
    '0x1',
    '1'.repeat(16),
    'é:1',
    'a b:1',
    'null',
    '%00',
    '1;2',
  ].map((cursor): [string, string] => ['EV4', `/api/events?after=${encodeURI(cursor)}`]),
  ...['', '-1', 'x', '1:2:3', '%F0%9F%98%80'].map((cursor): [string, string] => [
    'EV12',
    `/api/events?before=${cursor}`,
  ]),
  ...[
    'auto',
    'auto.nothing',
    'a*',
    '*.*',
    '__proto__',
    'constructor',
    'auto.*.x',
    '%00',
    '<b>',
    'AUTO.*',
    '../x',
  ].map((type): [string, string] => ['EV7', `/api/events?types=${type}`]),
  ...['31', '-1', '0.5', '1e1', 'x', '999999999', ''].map((wait): [string, string] => [
    'WI5',
    `/api/events?after=0&wait=${wait}`,
  ]),
  ...['0', '-1', '1001', '1e9', 'x', '0.5'].map((limit): [string, string] => [
    'WI4',
    `/api/events?limit=${limit}`,
  ]),
  ['EV21', '/api/events?before=1&after=1'],
  ['EV21', '/api/events?before=1&wait=1'],
  ['WI4', '/api/events?after=0&after=1'],
  ['WI4', '/api/events?after=0&__proto__=1'],
  ['WI4', '/api/events?after[]=0'],
  ['EV11', '/api/events/counts?seconds=1'],
  ['EV11', '/api/events/counts?seconds=604801'],
  ['EV11', '/api/events/counts?seconds=604800&bucket=10'],
  ['EV11', '/api/events/counts?bucket=0'],
  ['EV11', '/api/events/counts?seconds=NaN'],
  ['EV11', '/api/events/counts?types=nothing'],
  ['EV7', '/api/events/stream?types=nothing'],
  ['EV4', '/api/events/stream?after=x'],
  ['EV4', '/api/events/stream?after=-1'],
  ['WI4', '/api/events/stream?token=x'],
  ['LP26', '/api/task-auto/history?limit=0'],
  ['LP26', '/api/task-auto/history?limit=1e9'],
  ['LP26', '/api/task-auto/history?session=../x'],
  ['SH6', '/api/sessions/web/screens?limit=0'],
  ['SH6', '/api/sessions/web/screens?limit=-1'],
  ['SH6', '/api/sessions/web/screens?before=x'],
  ['SE20', '/api/sessions/web/scrollback?lines=1001'],
  ['SE20', '/api/sessions/web/scrollback?lines=-1'],
  ['SE20', '/api/sessions/web/scrollback?from=1e9'],
  ['SE20', '/api/sessions/web/scrollback?from=9999999'],
  ['TW12', '/api/v1/tasks/by-name/none/interactions?limit=1001'],
  ['TW12', '/api/v1/tasks/by-name/none/interactions?before=0'],
  ['TW6', '/api/v1/tasks?status=nothing'],
  ['TW6', '/api/v1/tasks?sort_by=description;DROP'],
  ['TW6', '/api/v1/tasks?sort_order=1'],
  ['TW6', '/api/v1/tasks?offset=-1'],
  ['PM6', `/api/v1/prompts?search=${'x'.repeat(201)}`],
  ['AT11', '/api/attention?state=nothing'],
  ['AT11', '/api/attention?limit=0'],
  ['AL31', '/api/alerts/deliveries?state=nothing'],
];

/** Well-formed cursors of a past or a future that never existed. */
const UNHONOURED: [string, string, string][] = [
  ['a seq of the future', '/api/events?after=999999999999999', 'future'],
  ['a seq of the future to wait for', '/api/events?after=999999999999999&wait=1', 'future'],
  ['another life', '/api/events?after=aaaaaaaaaa:1', 'epoch'],
  ['another life, read backwards', '/api/events?before=aaaaaaaaaa:1', 'epoch'],
  ['another life called constructor', '/api/events?after=constructor:1', 'epoch'],
  ['a life of 40 characters', `/api/events?after=${'z'.repeat(40)}:1`, 'epoch'],
];

async function outcome(door: Door, target: string): Promise<string> {
  const { status, body } = await ask(door, { target });
  if (status !== 200) return String(status);
  return /"reset":\{"reason":"(\w+)"/.exec(body)?.[1] ?? '200';
}

export const EVENT_TABLE: Table<Door> = {
  title: 'cursors and filters',
  twin: async (door) => outcome(door, '/api/events?after=0&types=session.*&wait=0&limit=10'),
  passes: '200',
  rows: [
    ...REFUSED.map(([rule, target]): Attack<Door> => ({
      rule,
      name: `${target.slice(0, 70)} is refused`,
      attack: async (door) => outcome(door, target),
      holds: '400',
    })),
    ...UNHONOURED.map(([name, target, reason]): Attack<Door> => ({
      rule: 'EV5',
      name: `a cursor of ${name} is told as a reset`,
      attack: async (door) => outcome(door, target),
      holds: reason,
    })),
  ],
};
