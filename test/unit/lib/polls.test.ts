import { expect, test } from 'vitest';
import { nextTickMs, Polls } from '../../../server/lib/polls.ts';
import { turn } from '../../support/browser/ask-in.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';

const TICK_MS = 2_000;

/** In steps, so that what an action awaits can happen in between. */
async function pass(clock: ManualClock, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 100) {
    clock.advance(Math.min(left, 100));
    await turn();
  }
}

test('UL9 what repeats runs on the ticks that all share, however far apart it began', async () => {
  const clock = new ManualClock();
  const ran: number[] = [];
  for (const everyMs of [TICK_MS, TICK_MS, 60_000]) {
    const act = () => void ran.push(clock.monotonic());
    new Polls(clock).repeat(everyMs, act);
    await pass(clock, 700);
  }
  await pass(clock, 180_000);
  expect(ran.length).toBeGreaterThan(180);
  expect(ran.filter((atMs) => atMs % TICK_MS !== 0)).toEqual([]);
  expect(new Set(ran).size).toBe(Math.floor(clock.monotonic() / TICK_MS));
});

test('UL9 a pause counts from the end of the action, and is at least half a tick', async () => {
  const clock = new ManualClock();
  const began: number[] = [];
  const ends: (() => void)[] = [];
  new Polls(clock).repeat(TICK_MS, async () => {
    began.push(clock.monotonic());
    await new Promise<void>((resolve) => ends.push(resolve));
  });
  await pass(clock, TICK_MS + 1_900);
  ends[0]?.();
  await pass(clock, TICK_MS);
  expect(began).toEqual([TICK_MS]);
  await pass(clock, TICK_MS);
  expect(began).toEqual([TICK_MS, 3 * TICK_MS]);
});

test('UL9 a pause that is no multiple of a tick has ticks of its own', async () => {
  const clock = new ManualClock();
  await pass(clock, 130);
  expect(nextTickMs(clock, 50)).toBe(70);
  expect(nextTickMs(clock, 500)).toBe(370);
  expect(nextTickMs(clock, 3_000)).toBe(2_870);
});

test('UL9 nothing runs after the cancel', async () => {
  const clock = new ManualClock();
  const polls = new Polls(clock);
  let count = 0;
  polls.repeat(TICK_MS, () => {
    count += 1;
    polls.cancel();
  });
  await pass(clock, 10 * TICK_MS);
  polls.repeat(TICK_MS, () => void (count += 1));
  await pass(clock, TICK_MS);
  expect(count).toBe(1);
});
