/** The list of events as a value: nothing that arrives while it is paused is lost or doubled. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EventRecord } from '../../../../shared/schema/events/events.ts';
import {
  addNewer,
  addOlder,
  beginAt,
  breakOff,
  EMPTY_WINDOW,
  type EventWindow,
  receive,
  isDetached,
  KEPT_ROWS,
  pause,
  resume,
  openAt,
} from '../../../../web/lib/events/event-window.ts';
import { eventRecord } from '../../../support/events/event-record.ts';

/** Events with the seqs from `first` to `last`. */
function events(first: number, last: number): EventRecord[] {
  const numbers = Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => first + n);
  return numbers.map((seq) => eventRecord({ type: 'daemon.stopping', data: {} }, seq));
}

function seqs({ rows }: EventWindow): number[] {
  return rows.map(({ seq }) => seq);
}

/** From the newest down. */
function down(from: number, to: number): number[] {
  return events(to, from)
    .map(({ seq }) => seq)
    .reverse();
}

function begun(head: number): EventWindow {
  return addOlder(beginAt(EMPTY_WINDOW, head), events(1, head), 0);
}

it('EP1 events that arrive before the log was read are shown once, on top', () => {
  const early = receive(EMPTY_WINDOW, events(9, 12), 12);
  const window = addOlder(beginAt(early, 10), events(1, 10), 0);
  expect(seqs(window)).toEqual(down(12, 1));
  expect(window).toMatchObject({ isFollowing: true, heldCount: 0, low: 0, high: 12 });
});

it('EP2 a paused list stays unchanged, counts new events, and shows them on resume', () => {
  const paused = receive(pause(begun(5)), events(6, 42), 42);
  expect(seqs(paused)).toEqual(down(5, 1));
  expect(paused.heldCount).toBe(37);
  expect(seqs(resume(paused))).toEqual(down(42, 1));
  expect(resume(paused)).toMatchObject({ heldCount: 0, isFollowing: true });
});

it('EP9 when more events came than are held, the window says where it ends, and the log fills it', () => {
  const many = 3 * KEPT_ROWS;
  const resumed = resume(receive(pause(begun(5)), events(6, many), many));
  const low = many - KEPT_ROWS;
  expect(seqs(resumed)).toEqual(down(many, low + 1));
  expect(resumed.low).toBe(low);
  const back = addOlder(pause(resumed), events(low - 99, low), low - 100);
  expect(seqs(back)).toEqual(down(many - 100, low - 99));
  expect(isDetached(back)).toBe(true);
});

it('EP1, EP9 in a burst the newest are kept, and no more', () => {
  const window = receive(begun(5), events(6, 10_000), 10_000);
  expect(seqs(window)).toEqual(down(10_000, 10_001 - KEPT_ROWS));
  expect(window.low).toBe(10_000 - KEPT_ROWS);
});

it('EP3 a break is a line in the list, also in a paused one; the log has the skipped events', () => {
  const live = breakOff(begun(5), 50, 'away');
  expect(live.rows).toEqual([{ kind: 'break', seq: 50, text: 'away' }]);
  const read = addOlder(live, events(31, 50), 30);
  expect(read.rows.map(({ kind, seq }) => `${kind} ${seq}`).slice(0, 2)).toEqual([
    'break 50',
    'event 50',
  ]);
  const paused = receive(breakOff(pause(begun(5)), 50, 'away'), events(51, 52), 52);
  expect(seqs(paused)).toEqual(down(5, 1));
  const resumed = resume(paused);
  expect(resumed.rows.map(({ kind, seq }) => `${kind} ${seq}`)).toEqual([
    'event 52',
    'event 51',
    'break 50',
  ]);
  expect(resumed.low).toBe(50);
});

it('EP4 a window around one event extends both ways and joins events that came meanwhile', () => {
  const found = { events: events(40, 60), low: 39, high: 60 };
  const window = receive(openAt(EMPTY_WINDOW, 100, found), events(101, 103), 103);
  expect([seqs(window), window.heldCount]).toEqual([down(60, 40), 3]);
  expect(isDetached(window)).toBe(true);
  const joined = addNewer(window, events(61, 102), 102);
  expect(isDetached(joined)).toBe(false);
  expect([seqs(joined), joined.heldCount]).toEqual([down(102, 40), 1]);
  expect(seqs(resume(joined))).toEqual(down(103, 40));
});

/** One thing that happens to a list. */
const Step = fc.oneof(
  fc.record({ does: fc.constant('receive' as const), count: fc.integer({ min: 0, max: 700 }) }),
  fc.record({ does: fc.constantFrom('pause' as const, 'resume' as const, 'newer' as const) }),
  fc.record({ does: fc.constant('older' as const), count: fc.integer({ min: 1, max: 300 }) }),
);

/** Every third event passes the filter. */
const isSelected = ({ seq }: EventRecord) => seq % 3 === 0;

it('EP9 after anything in any order the window holds exactly what the log has there', () => {
  const run = (steps: readonly (typeof Step extends fc.Arbitrary<infer S> ? S : never)[]) => {
    let head = 1000;
    let window = beginAt(EMPTY_WINDOW, head);
    const select = (low: number, high: number) => events(low + 1, high).filter(isSelected);
    for (const step of steps) {
      if (step.does === 'receive') {
        const heard = events(head + 1, head + step.count);
        head += step.count;
        if (step.count > 0) window = receive(window, heard.filter(isSelected), head);
      } else if (step.does === 'pause') window = pause(window);
      else if (step.does === 'resume') window = resume(window);
      else if (step.does === 'older') {
        const low = Math.max(0, window.low - step.count);
        window = addOlder(pause(window), select(low, window.low), low);
      } else if (isDetached(window)) {
        const high = Math.min(head, window.high + 250);
        window = addNewer(window, select(window.high, high), high);
      }
      const inside = select(window.low, window.high).map(({ seq }) => seq);
      expect(seqs(window)).toEqual(inside.reverse());
      expect(window.rows.length).toBeLessThanOrEqual(KEPT_ROWS);
      if (window.isFollowing) expect(window.high).toBe(head);
    }
    expect(resume(window).high).toBe(head);
  };
  fc.assert(fc.property(fc.array(Step, { maxLength: 30 }), run), { numRuns: 200 });
});
