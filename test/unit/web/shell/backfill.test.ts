/** Reading the log backwards through windows, against a log of any shape. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { backfillFrom, nextWindow, withWindow } from '../../../../web/lib/events/backfill.ts';

/** Searches backwards as a reader does; returns the windows read, and why it ended. */
function search(low: number, oldest: number, isFound: (seq: number) => boolean) {
  let state = backfillFrom(low, oldest);
  const seen: number[] = [];
  for (;;) {
    const next = nextWindow(state);
    if (typeof next === 'string') return { seen, end: next, state };
    expect(next.upTo - next.after).toBeLessThanOrEqual(1000);
    const window = Array.from({ length: next.upTo - next.after }, (_, n) => next.upTo - n);
    seen.push(...window);
    state = withWindow(state, next, window.filter(isFound).length);
  }
}

it('EP5 it reads every event once, from the newest down, and none that is not kept', () => {
  const Log = fc.record({
    oldest: fc.integer({ min: 1, max: 5_000 }),
    length: fc.integer({ min: 0, max: 30_000 }),
    every: fc.integer({ min: 1, max: 20_000 }),
  });
  fc.assert(
    fc.property(Log, ({ oldest, length, every }) => {
      const low = oldest - 1 + length;
      const { seen, end } = search(low, oldest, (seq) => seq % every === 0);
      expect(seen).toEqual(seen.map((_, n) => low - n));
      expect(seen.every((seq) => seq >= oldest)).toBe(true);
      if (end === 'end') expect(seen.length).toBe(length);
    }),
    { numRuns: 100 },
  );
});

it('EP5 it ends when enough was found, at the oldest event, or after a bounded stretch', () => {
  expect(search(100_000, 1, () => true)).toMatchObject({ end: 'enough' });
  expect(search(100_000, 1, () => true).seen.length).toBe(250);
  expect(search(300, 1, () => false)).toMatchObject({ end: 'end' });
  expect(search(0, 1, () => true)).toMatchObject({ end: 'end', seen: [] });
  const far = search(100_000, 1, () => false);
  expect(far.end).toBe('far');
  expect(far.seen.length).toBeGreaterThanOrEqual(10_000);
  // A person continues from there.
  expect(search(far.state.low, 1, (seq) => seq < 85_000).end).toBe('enough');
});
