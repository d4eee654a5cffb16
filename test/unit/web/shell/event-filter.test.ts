/** The filter of the events page: in the address, on events, and as a command. */
import { expect, it } from 'vitest';
import { EVENT_TYPES } from '../../../../shared/schema/events/events.ts';
import { execFile } from '../../../../server/lib/processes/exec-file.ts';
import {
  eventSelector,
  readFilter,
  watchCommand,
  writeFilter,
} from '../../../../web/lib/events/event-filter.ts';
import { parseEventAddress } from '../../../../web/lib/events/event-address.ts';
import { EVENT_GROUPS, EVENT_TYPE_NAMES } from '../../../../web/lib/events/event-types.ts';
import {
  findTypes,
  groupChoice,
  isTypeChosen,
  labelOf,
  toggleGroup,
  toggleType,
} from '../../../../web/lib/events/type-choice.ts';
import { apply } from '../../../../web/lib/state/apply.ts';
import { createLiveWork } from '../../../../web/lib/state/live-work.ts';
import { eventRecord } from '../../../support/events/event-record.ts';

const SAVED = eventRecord(
  { type: 'run.checkpoint', data: { run: 'r1', phase: 'plan', events: 3 } },
  3,
);
const ALL = { types: [], session: null, text: '' };
const OPENED = eventRecord(
  {
    type: 'session.created',
    session: 'web',
    data: { cwd: '/home/Ada/task', terminal: 'tmux', reopened: false },
  },
  1,
);
const STOPPING = eventRecord({ type: 'daemon.stopping', data: {} }, 2);

function passes(change: object): number[] {
  return [OPENED, STOPPING].filter(eventSelector({ ...ALL, ...change })).map(({ seq }) => seq);
}

it('EP6 every type of the contract can be chosen, and belongs to one group', () => {
  expect(EVENT_TYPE_NAMES).toEqual(EVENT_TYPES);
  const groups: string[] = EVENT_GROUPS.map(({ pattern }) => pattern);
  for (const type of EVENT_TYPES) expect(groups).toContain(`${type.split('.')[0]}.*`);
});

it('EP6 a filter selects by type, group, session and the text of the line', () => {
  expect(passes({})).toEqual([1, 2]);
  expect(passes({ types: ['session.*'] })).toEqual([1]);
  expect(passes({ types: ['daemon.stopping', 'auto.*'] })).toEqual([2]);
  expect(passes({ session: 'web' })).toEqual([1]);
  expect(passes({ text: ' /home/ada ' })).toEqual([1]);
  expect(passes({ text: 'IS STOPPING' })).toEqual([2]);
  expect(passes({ text: 'daemon.stop' })).toEqual([2]);
  expect(passes({ text: 'web', types: ['daemon.*'] })).toEqual([]);
});

it('EP6 an address becomes the same filter again; values that no event can have are left out', () => {
  const filter = { types: ['auto.*', 'session.closed'], session: 'web', text: 'a&b=c' };
  const fields = Object.entries(writeFilter(filter)).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as [string, string]],
  );
  expect(readFilter(new URLSearchParams(new URLSearchParams(fields).toString()))).toEqual(filter);
  expect(readFilter(new URLSearchParams('types=auto.*,auto.*,nonsense,*'))).toEqual({
    ...ALL,
    types: ['auto.*'],
  });
  expect(writeFilter(ALL)).toEqual({ types: null, session: null, text: null });
});

it('EP10 a group is chosen with one press, and becomes its other types without one of them', () => {
  const [people] = findTypes('people');
  if (people === undefined) throw new Error('there is a group of people');
  const { group, types } = people;
  expect(groupChoice([], group)).toBe('none');
  expect(toggleType([], 'people.joined')).toEqual(['people.joined']);
  expect(groupChoice(['people.joined'], group)).toBe('some');
  // The group takes the place of its types, and what else is chosen stays.
  const chosen = toggleGroup(['daemon.started', 'people.joined'], group);
  expect(chosen).toEqual(['people.*', 'daemon.started']);
  expect(groupChoice(chosen, group)).toBe('all');
  expect(types.every((type) => isTypeChosen(chosen, type))).toBe(true);
  expect(toggleGroup(chosen, group)).toEqual(['daemon.started']);
  const others = toggleType(chosen, 'people.joined');
  expect(others).toHaveLength(types.length);
  expect(types.filter((type) => !isTypeChosen(others, type))).toEqual(['people.joined']);
  expect(readFilter(new URLSearchParams({ types: others.join() })).types).toEqual(others);
});

it('EP10 a search finds types by their name and by that of their group', () => {
  const found = (text: string) => findTypes(text).map(({ group, types }) => [group.label, types]);
  expect(found('')).toHaveLength(EVENT_GROUPS.length);
  expect(found(' RESTART')).toEqual([['Loops', ['auto.restart_scheduled', 'auto.restarted']]]);
  expect(found('claims')).toEqual([['Claims', ['claim.lost', 'claim.released']]]);
  expect(found('no such type')).toEqual([]);
  expect([labelOf('auto.*'), labelOf('auto.failed')]).toEqual(['Loops', 'auto.failed']);
});

it('RX24 saves of checkpoints can be chosen next to their group', () => {
  expect(isTypeChosen(['run.*'], 'run.checkpoint')).toBe(false);
  expect(toggleType(['run.*'], 'run.checkpoint')).toEqual(['run.*', 'run.checkpoint']);
  expect(toggleType(['run.*', 'run.checkpoint'], 'run.checkpoint')).toEqual(['run.*']);
});

it('RX24 saves of checkpoints are listed only where their type is chosen', () => {
  const shows = (types: string[]) => eventSelector({ ...ALL, types })(SAVED);
  expect([shows([]), shows(['run.*']), shows(['auto.*'])]).toEqual([false, false, false]);
  expect([shows(['run.checkpoint']), shows(['auto.*', 'run.checkpoint'])]).toEqual([true, true]);
});

it('RX24 saves of checkpoints push nothing out of the latest events', () => {
  const work = createLiveWork([], [], [], [SAVED, OPENED], 0);
  expect(work.events.map(({ seq }) => seq)).toEqual([1]);
  const later = apply(apply(work, { ...SAVED, seq: 4 }), { ...STOPPING, seq: 5 });
  expect(later.events.map(({ seq }) => seq)).toEqual([5, 1]);
});

it('EP7 the command selects the same events, and a shell reads every argument of it unchanged', async () => {
  expect(watchCommand(ALL)).toBe('loopwatch watch');
  const hostile = `'; rm -rf $HOME \`id\` "*`;
  const command = watchCommand({
    types: ['auto.*', 'session.closed'],
    session: 'web',
    text: hostile,
  });
  const [watch = '', grep = ''] = command.split(' | grep ');
  const print = `for word in "$@"; do printf '%s\\n' "$word"; done`;
  const words = async (line: string) => {
    const script = `set -- ${line}\n${print}`;
    const result = await execFile('/bin/sh', ['-c', script], { timeoutMs: 60_000 });
    return result.ok ? result.stdout.split('\n') : result;
  };
  expect(await words(watch)).toEqual([
    'loopwatch',
    'watch',
    '--types',
    'auto.*,session.closed',
    '--session',
    'web',
    '',
  ]);
  expect(await words(grep)).toEqual(['--line-buffered', '-iF', '--', hostile, '']);
});

it('EP4 a link names an event by epoch and number, and nothing else is accepted', () => {
  expect(parseEventAddress('Ab12:7')).toEqual({ epoch: 'Ab12', seq: 7 });
  for (const text of ['', '7', 'Ab12:', 'Ab12:0', 'Ab12:x', 'a b:1', 'Ab12:1:2']) {
    expect(parseEventAddress(text)).toBeNull();
  }
});
