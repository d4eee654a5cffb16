/** What the daemon receives about the screens that a page wants, and how fast. */
import { expect, it } from 'vitest';
import type { EventRecord } from '../../../../shared/schema/events/events.ts';
import { WatchPacer } from '../../../../web/lib/client/watch-pacer.ts';
import { ManualClock } from '../../../support/house/manual-clock.ts';

/** A pacer on an open connection; `sent` holds what it sent and when. */
function openPacer() {
  const clock = new ManualClock();
  const sent: { frame: string; atMs: number }[] = [];
  const pacer = new WatchPacer({
    send: ({ type, session }) =>
      sent.push({ frame: `${type} ${session}`, atMs: clock.monotonic() }),
    after: (delayMs, act) => {
      const timer = clock.after(delayMs, act);
      return () => timer.cancel();
    },
  });
  pacer.open();
  clock.advance(1_000);
  const take = () => sent.splice(0).map(({ frame }) => frame);
  const pass = (ms: number) => {
    clock.advance(ms);
    return take();
  };
  return { pacer, clock, sent, pass };
}

const created = (session: string) => ({ type: 'session.created', session }) as EventRecord;
const closed = (session: string) => ({ type: 'session.closed', session }) as EventRecord;

it('OV4 tiles scrolled past are never requested, and tiles that stay are requested once', () => {
  const { pacer, pass } = openPacer();
  pacer.watch('a');
  pacer.watch('b');
  pacer.unwatch('a');
  pacer.watch('c');
  pacer.unwatch('c');
  pacer.watch('c');
  expect(pass(5_000)).toEqual(['watch b', 'watch c']);
  pacer.unwatch('b');
  expect(pass(5_000)).toEqual(['unwatch b']);
});

it('OV4 fast scrolling over 200 sessions stays below the daemon’s limit and leaves nothing behind', () => {
  const { pacer, clock, sent } = openPacer();
  for (let top = 0; top < 200; top += 1) {
    pacer.watch(`s${top}`);
    if (top >= 12) pacer.unwatch(`s${top - 12}`);
    clock.advance(top % 3 === 0 ? 120 : 5);
  }
  clock.advance(10_000);
  for (const { atMs } of sent) {
    const within = sent.filter((other) => other.atMs >= atMs && other.atMs < atMs + 1_000);
    expect(within.length).toBeLessThanOrEqual(30);
  }
  const watched = new Set<string>();
  for (const { frame } of sent) {
    const [type, session = ''] = frame.split(' ');
    if (type === 'watch') watched.add(session);
    else expect(watched.delete(session)).toBe(true);
  }
  expect([...watched].sort()).toEqual(Array.from({ length: 12 }, (_, n) => `s${n + 188}`).sort());
});

it('OV4 two parts of a page share a watch; the second one gets a whole snapshot', () => {
  const { pacer, pass } = openPacer();
  pacer.watch('a');
  expect(pass(1_000)).toEqual(['watch a']);
  pacer.watch('a');
  expect(pass(1_000)).toEqual(['watch a']);
  pacer.unwatch('a');
  expect(pass(1_000)).toEqual([]);
  // From one page to the next: the new snapshot is needed although the watch never ended.
  pacer.unwatch('a');
  pacer.watch('a');
  expect(pass(1_000)).toEqual(['watch a']);
  pacer.unwatch('a');
  expect(pass(1_000)).toEqual(['unwatch a']);
});

it('OV11 a session that closed is not requested until it is open again', () => {
  const { pacer, pass } = openPacer();
  pacer.watch('a');
  pacer.follow(closed('a'));
  expect(pass(1_000)).toEqual([]);
  pacer.follow(created('a'));
  expect(pass(1_000)).toEqual(['watch a']);
  pacer.sessionClosed('a');
  pacer.unwatch('a');
  expect(pass(1_000)).toEqual([]);
  // The page lists it again: one try is worth it.
  pacer.watch('a');
  expect(pass(1_000)).toEqual(['watch a']);
});

it('OV4 a new connection requests every wanted screen, an ended one none', () => {
  const { pacer, clock, pass } = openPacer();
  pacer.watch('a');
  pass(1_000);
  pacer.close();
  pacer.watch('b');
  pacer.unwatch('a');
  pacer.watch('c');
  expect(pass(1_000)).toEqual([]);
  expect(clock.pending).toBe(0);
  pacer.open();
  expect(pass(1_000)).toEqual(['watch b', 'watch c']);
});
