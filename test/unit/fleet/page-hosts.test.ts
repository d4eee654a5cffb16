/** Addresses, texts and order of what is on several hosts. */
import { expect, it } from 'vitest';
import { EVENT_SCHEMA } from '../../../shared/rules/wire.ts';
import type { AttentionItem } from '../../../shared/schema/attention/attention.ts';
import type { Host } from '../../../shared/schema/fleet.ts';
import { inboxGroups, mergeGroups } from '../../../web/lib/attention/inbox-groups.ts';
import { hostStyle } from '../../../web/lib/hosts/host-text.ts';
import { PROBLEM_TEXT } from '../../../web/lib/hosts/problem-text.ts';
import { readChoice, writeChoice } from '../../../web/lib/overview/overview-choice.ts';
import { TileMemory } from '../../../web/lib/overview/tiles/tile-memory.ts';
import { createLiveWork } from '../../../web/lib/state/live-work.ts';
import {
  hostBase,
  hostOfPath,
  keyOfHost,
  readHost,
  samePageOn,
} from '../../../web/lib/state/host-path.ts';

const NOON = '2026-11-25T12:00:00.000Z';
const NOON_MS = Date.parse(NOON);

function host(change: Partial<Host>): Host {
  return {
    id: 'h1',
    name: 'build-1',
    version: '0.1.0',
    started_at: NOON,
    labels: [],
    free_slots: 1,
    event_schema: EVENT_SCHEMA,
    queue_length: 0,
    plan_left: null,
    state: 'reachable',
    last_seen_at: null,
    ...change,
  };
}

function item(change: Partial<AttentionItem>): AttentionItem {
  return {
    id: 'a',
    session: 'web',
    task: null,
    subject: { kind: 'session', id: 'web' },
    raised_at: NOON,
    cleared_at: null,
    ...change,
  } as AttentionItem;
}

it('FW1 an address names its host, and leads to it', () => {
  expect(
    ['/', '/tasks', '/hosts/build-1', '/hosts/build-1/tasks/x', '/hosts/', '/x/hosts/y'].map(
      hostOfPath,
    ),
  ).toEqual([null, null, 'build-1', 'build-1', null, null]);
  expect([hostBase(null), hostBase('build-1')]).toEqual(['', '/hosts/build-1']);
});

it('FW4 another host opens on the same kind of page, never on a piece of work it has not', () => {
  const there = [
    '/',
    '/inbox',
    '/tasks',
    '/tasks/fix-login',
    '/runs/r1',
    '/sessions/web',
    '/found/x',
    '/fleet',
  ];
  expect(there.map((path) => samePageOn('build-1', path))).toEqual([
    '/hosts/build-1/',
    '/hosts/build-1/inbox',
    '/hosts/build-1/tasks',
    '/hosts/build-1/tasks',
    '/hosts/build-1/runs',
    '/hosts/build-1/',
    '/hosts/build-1/',
    '/hosts/build-1/',
  ]);
  expect(samePageOn(null, '/tasks/fix-login')).toBe('/tasks');
  expect(hostStyle(host({ state: 'here' }), NOON_MS).label).toBe('This host');
  expect(hostStyle(host({}), NOON_MS).label).toBe('Reachable');
  const away = host({ state: 'unreachable', last_seen_at: NOON });
  expect(hostStyle(away, NOON_MS + 1000).label).toMatch(/^Unreachable since \d\d:\d\d$/);
  // Of another day.
  expect(hostStyle(away, NOON_MS + 3 * 86_400_000).label).toMatch(
    /^Unreachable since .+, \d\d:\d\d$/,
  );
});

it('FW5 the filter by host is in the address, and only a name is taken from it', () => {
  const choice = readChoice(new URLSearchParams('host=build-1&show=needs'));
  expect(choice).toMatchObject({ host: 'build-1', show: 'needs' });
  expect(writeChoice(choice)).toBe('?show=needs&host=build-1');
  expect(readHost(new URLSearchParams('host=<b>'))).toBeNull();
  expect(readHost(new URLSearchParams(''))).toBeNull();
});

it('FW3 equal names on two hosts are two tiles, and no key of one is that of the other', () => {
  const session = { name: 'web', created_at: NOON, cwd: '/x', agent: null, owner: null };
  const work = createLiveWork([session as never], [], [], [], NOON_MS);
  const tiles = [null, 'build-1', 'build-2'].flatMap((name) => new TileMemory(name).list(work));
  expect(tiles.map(({ key, host: of }) => [key, of])).toEqual([
    ['web', null],
    ['web@build-1', 'build-1'],
    ['web@build-2', 'build-2'],
  ]);
});

it('FW7 items of several hosts are in one order, those of equal names apart', () => {
  const later = '2026-11-25T12:05:00.000Z';
  const inbox = (open: AttentionItem[]) => ({ open, cleared: [], leaving: [] });
  const own = inboxGroups(inbox([item({ id: 'own', raised_at: later })]), NOON_MS, []);
  const other = inboxGroups(inbox([item({ id: 'other' })]), NOON_MS, [], 'build-1');
  const urgent = inboxGroups(
    inbox([item({ id: 'urgent', raised_at: later, escalated_at: later })]),
    NOON_MS,
    [],
    'build-2',
  );
  const merged = mergeGroups([own, other, urgent]);
  expect(merged.map(({ host: of, items }) => [of, items[0]?.id])).toEqual([
    ['build-2', 'urgent'],
    ['build-1', 'other'],
    [null, 'own'],
  ]);
  expect(new Set(merged.map(({ key }) => key)).size).toBe(3);
  expect(mergeGroups([])).toEqual([]);
});

it('FW12 every problem says what to do', () => {
  expect(Object.keys(PROBLEM_TEXT).sort()).toEqual([
    'disconnected',
    'duplicate_host_id',
    'no_majority',
    'not_allowed',
  ]);
  for (const { label, next } of Object.values(PROBLEM_TEXT)) {
    expect(label).not.toBe('');
    expect(next).toMatch(/loopwatch|LOOPWATCH|join/);
  }
});

it('FW13 what belongs to a host has a key of its own in the storage of the browser', () => {
  const keys = [null, 'build-1', 'build-2'].map((name) => keyOfHost(name, 'loopwatch.presence'));
  expect(new Set(keys).size).toBe(3);
  expect(keys[0]).toBe('loopwatch.presence');
});
