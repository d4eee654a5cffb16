/** How tests wait: until something is there, and no longer than something changes. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { until } from '../../support/house/until.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

it('AR7 a wait lasts as long as what it observes still changes', async () => {
  let polls = 0;
  const poll = () => {
    polls += 1;
    vi.advanceTimersByTime(100_000);
    return polls >= 50;
  };
  expect(await until('it is there', poll, () => polls)).toBe(true);
});

it('AR7 a wait ends after three minutes without a change, with the last observation', async () => {
  let polls = 0;
  const poll = () => {
    polls += 1;
    vi.advanceTimersByTime(2_000);
    return false;
  };
  const waited = until('it is there', poll, () => ['seen', Math.min(polls, 5)]);
  await expect(waited).rejects.toThrow('waited in vain: it is there; last seen: ["seen",5]');
  // A process that was stopped for three minutes has not polled often enough.
  expect(polls).toBe(105);
});

it('AR7 a probe that throws fails at once', async () => {
  let polls = 0;
  const waited = until('never', () => {
    polls += 1;
    expect(polls).toBe(2);
  });
  await expect(waited).rejects.toThrow('expected 1 to be 2');
});
