/** The wall: its address, the sizes of its columns and rows, its grid, and which sessions it shows. */
import { expect, it } from 'vitest';
import type { Session } from '../../../../shared/schema/model.ts';
import { TileMemory } from '../../../../web/lib/overview/tiles/tile-memory.ts';
import { createLiveWork } from '../../../../web/lib/state/live-work.ts';
import { type ArrangeInput, PaneOrder } from '../../../../web/lib/wall/arrange-panes.ts';
import { PaneMemory } from '../../../../web/lib/wall/pane-memory.ts';
import {
  moveSplit,
  positionOf,
  readSplits,
  resetSplit,
  sizesOf,
  withSizes,
  writeSplits,
} from '../../../../web/lib/wall/split-sizes.ts';
import { readWall, swapPanes, writeWall } from '../../../../web/lib/wall/wall-address.ts';
import { gridOf, roomFor } from '../../../../web/lib/wall/wall-grid.ts';
import { withoutBlankEnd } from '../../../../web/lib/session/blank-rows.ts';
import { agentState, PERMISSION } from '../../../support/agents/agent-states.ts';
import { eventRecord } from '../../../support/events/event-record.ts';

const read = (text: string) => readWall(new URLSearchParams(text));

it('WM1 an address is read as it was written, and people can write it', () => {
  expect(writeWall(read(''))).toBe('');
  const text = '?follow=web,api,docs&idle=hide&columns=120-80.50-150-100&rows=75-125';
  const wall = read(text);
  expect(wall).toEqual({
    follow: ['web', 'api', 'docs'],
    host: null,
    hidesIdle: true,
    columns: { 2: [120, 80], 3: [50, 150, 100] },
    rows: { 2: [75, 125] },
  });
  expect(writeWall(wall)).toBe(text);
  // All removed is not the same as never chosen.
  expect(read('?follow=').follow).toEqual([]);
  expect(writeWall(read('?follow='))).toBe('?follow=');
});

it('WM1 of a hostile address only what a wall can show is kept', () => {
  const names = Array.from({ length: 30 }, (_, n) => `s${n}`);
  expect(read(`?follow=a,,a, b ,${names.join()}`).follow).toEqual(['a', 'b', ...names.slice(0, 7)]);
  expect(read(`?follow=${'x'.repeat(5000)}`).follow).toEqual(['x'.repeat(65)]);
  for (const sizes of ['', '100', '1-199', '100-101', '-5-205', '1e2-100', '90-110-', 'a-b']) {
    expect([sizes, readSplits(sizes)]).toEqual([sizes, {}]);
  }
  expect(read('?idle=1').hidesIdle).toBe(false);
});

it('WM7 a separator changes its two neighbours, and leaves each enough to be found again', () => {
  const equal = sizesOf({}, 3);
  expect(positionOf(equal, 1)).toEqual({ percent: 50, least: 13, most: 88 });
  const moved = moveSplit(equal, 1, 60);
  expect(moved).toEqual([120, 80, 100]);
  expect(positionOf(moved, 1).percent).toBe(60);
  expect(moveSplit(moved, 2, -40)).toEqual([120, 25, 155]);
  expect(moveSplit(moved, 2, 400)).toEqual([120, 155, 25]);
  expect(resetSplit(moved, 1)).toEqual(equal);
  // Any order of moves stays an address.
  let sizes = equal;
  for (const [at, percent] of [
    [1, 13],
    [2, 71.3],
    [1, 99],
    [2, 3],
  ] as const) {
    sizes = moveSplit(sizes, at, percent);
    expect(readSplits(writeSplits({ 3: sizes }))).toEqual({ 3: sizes });
  }
});

it('WM7 sizes are kept for each number of columns, and equal ones are not written', () => {
  const two = withSizes({}, [130, 70]);
  const both = withSizes(two, [50, 150, 100]);
  expect(writeSplits(both)).toBe('130-70.50-150-100');
  expect(sizesOf(both, 2)).toEqual([130, 70]);
  expect(sizesOf(both, 4)).toEqual([100, 100, 100, 100]);
  expect(withSizes(both, [100, 100, 100])).toEqual(two);
  expect(writeSplits(withSizes(two, [100, 100]))).toBe('');
});

const PHONE = { width: 390, height: 844 };
const SMALL = { width: 900, height: 700 };
const DESK = { width: 1440, height: 900 };
const WALL = { width: 2560, height: 1440 };

it('WM6 columns follow the window, and the last pane takes the rest of its row', () => {
  const shapes = (counts: readonly number[], size: typeof DESK) =>
    counts.map((count) => {
      const { columns, rows } = gridOf(count, size);
      return `${columns}x${rows}`;
    });
  expect(shapes([1, 4, 9], PHONE)).toEqual(['1x1', '1x4', '1x9']);
  expect(shapes([1, 2, 3, 4, 9], SMALL)).toEqual(['1x1', '2x1', '2x2', '2x2', '2x5']);
  expect(shapes([2, 3, 4, 5, 9], DESK)).toEqual(['2x1', '3x1', '2x2', '3x2', '3x3']);
  // Four in a row would be twice as high as wide.
  expect(shapes([3, 4, 7, 9], WALL)).toEqual(['3x1', '2x2', '4x2', '3x3']);

  const five = gridOf(5, DESK);
  expect(five.panes.map(({ column, row }) => `${column} in ${row}`)).toEqual([
    '1 / 2 in 1',
    '3 / 4 in 1',
    '5 / 6 in 1',
    '1 / 2 in 3',
    '3 / 6 in 3',
  ]);
  // The second one ends where the last pane crosses it.
  expect(five.columnSeparators).toEqual([
    { column: '2', row: '1 / 4' },
    { column: '4', row: '1 / 2' },
  ]);
  expect(five.rowSeparators).toEqual([{ column: '1 / -1', row: '2' }]);
  expect([PHONE, SMALL, DESK, WALL].map(roomFor)).toEqual([9, 4, 9, 9]);
  expect(roomFor({ width: 1440, height: 300 })).toBe(3);
});

it('WM8 two panes change places', () => {
  expect(swapPanes(['a', 'b', 'c'], 'a', 'c')).toEqual(['c', 'b', 'a']);
});

it('WM4 a screen ends with its last row that shows something, and keeps its empty rows above', () => {
  expect(withoutBlankEnd(['one', '', '', 'two', ' ', '\u001b[31m\u001b[0m'])).toEqual([
    'one',
    '',
    '',
    'two',
  ]);
  expect(withoutBlankEnd(['', ' '])).toEqual([]);
});

function session(name: string, agent: Session['agent']): Session {
  return {
    name,
    cwd: `/srv/${name}`,
    terminal: 'tmux',
    status: 'open',
    owner: null,
    agent,
    created_at: '2026-01-01T00:00:00.000Z',
  };
}

const STATES = {
  works: agentState({ state: 'working' }),
  asks: PERMISSION,
  waits: agentState({ state: 'limited' }),
  idle: agentState({ state: 'ready' }),
};

/** Tiles by name and state, such as `a works, b asks`. */
function tilesOf(text: string) {
  const sessions = text
    .split(', ')
    .filter(Boolean)
    .map((each) => {
      const [name = '', state = ''] = each.split(' ');
      return session(name, STATES[state as keyof typeof STATES]);
    });
  return new TileMemory().list(createLiveWork(sessions, [], [], [], 0));
}

/** What one wall shows as its sessions change. */
function wall() {
  const order = new PaneOrder();
  return (text: string, change: Partial<ArrangeInput> = {}) =>
    order
      .arrange({
        tiles: tilesOf(text),
        room: 3,
        hidesIdle: false,
        removed: [],
        isHeld: false,
        ...change,
      })
      .join(' ');
}

it('WM2 an automatic wall shows the most urgent that fit, and no idle ones', () => {
  expect(wall()('a works, b waits, c asks, d idle')).toBe('c b a');
  expect(wall()('a works, b works, c works, d asks')).toBe('d a b');
  expect(wall()('a idle')).toBe('');
});

it('WM2 a new one takes free room at the end, then the place of one that is idle or ended', () => {
  const show = wall();
  expect(show('b works')).toBe('b');
  expect(show('a works, b works')).toBe('b a');
  expect(show('a works, b idle, c works')).toBe('b a c');
  expect(show('a works, b idle, c works, d works')).toBe('d a c');
  expect(show('a works, c works, d works, e works')).toBe('d a c');
});

it('WM3 an answer or a change of work moves nothing; a new need or an end sorts again', () => {
  const show = wall();
  expect(show('a asks, b works, c works')).toBe('a b c');
  expect(show('a works, b works, c waits')).toBe('a b c');
  expect(show('a works, b works, c asks')).toBe('c a b');
  expect(show('a asks, b works, c asks, d works')).toBe('a c b');
  // The ended one gives its place to the one that waits for it.
  expect(show('a asks, c works, d works')).toBe('a c d');
});

it('WM3 WM9 an ended session keeps its pane until it is removed or another needs the room', () => {
  const show = wall();
  expect(show('a works, b works')).toBe('a b');
  expect(show('b works')).toBe('b a');
  expect(show('b works')).toBe('b a');
  expect(show('b works', { removed: ['a'] })).toBe('b');
  // It was opened again.
  expect(show('a works, b works', { removed: ['a'] })).toBe('b a');
});

it('WM3 nothing moves while a pane is held, and everything is shown after it', () => {
  const show = wall();
  expect(show('a works, b works, c works')).toBe('a b c');
  expect(show('a works, b works, c works, d asks', { isHeld: true })).toBe('a b c');
  expect(show('b works, c works, d asks', { isHeld: true, room: 1 })).toBe('a b c');
  expect(show('b works, c works, d asks')).toBe('d b c');
  expect(wall()('a works', { isHeld: true })).toBe('a');
});

it('WM12 a wall that hides idle ones drops them at once', () => {
  const show = wall();
  expect(show('a works, b works')).toBe('a b');
  expect(show('a idle, b works')).toBe('a b');
  expect(show('a idle, b works', { hidesIdle: true })).toBe('b');
});

it('WM9 a pane knows whether its session ended or never existed, and stays the same object', () => {
  const memory = new PaneMemory();
  const before = tilesOf('a works, b works');
  const [a, gone] = memory.list(['a', 'nobody'], before, []);
  expect(gone).toEqual({ key: 'nobody', tile: null, hasEnded: false, closedAt: null });
  expect(a?.tile).toBe(before[0]);
  expect(memory.list(['nobody', 'a'], before, [])).toEqual([gone, a]);
  expect(memory.list(['a'], before, [])[0]).toBe(a);
  const at = '2026-01-01T00:00:09.000Z';
  const closed = eventRecord(
    { type: 'session.closed', session: 'a', data: { reason: 'requested' } },
    1,
    at,
  );
  const ended = { key: 'a', tile: null, hasEnded: true, closedAt: at };
  expect(memory.list(['a'], before.slice(1), [{ host: null, events: [closed] }])).toEqual([ended]);
  // The event is no longer among the latest.
  expect(memory.list(['a'], before.slice(1), [])).toEqual([ended]);
  // One of the same name on another host closed.
  const elsewhere = [{ host: 'build-1', events: [closed] }];
  expect(new PaneMemory().list(['a', 'a@build-1'], [], elsewhere)).toMatchObject([
    { key: 'a', hasEnded: false },
    { key: 'a@build-1', hasEnded: true, closedAt: at },
  ]);
  // It was closed just before this page was opened.
  expect(new PaneMemory().list(['a'], [], [{ host: null, events: [closed] }])).toEqual([ended]);
});
