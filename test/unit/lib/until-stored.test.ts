/** What a request has begun is ended although the database is busy for a moment. */
import { expect, it } from 'vitest';
import { AppError } from '../../../server/lib/app-error.ts';
import { untilStored } from '../../../server/lib/until-stored.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';

/** Fails that often, then returns the number of calls. */
function failing(times: number, error: Error) {
  let calls = 0;
  const write = () => {
    calls += 1;
    if (calls <= times) throw error;
    return calls;
  };
  return { write, calls: () => calls };
}

const BUSY = new AppError('storage_busy', 'busy');

it('FA3 a write that storage refuses is repeated each second, for half a minute', async () => {
  const clock = new ManualClock();
  const { write, calls } = failing(2, BUSY);
  const stored = untilStored(write, clock);
  for (let second = 0; second < 2; second += 1) {
    clock.advance(1_000);
    await new Promise(setImmediate);
  }
  expect([await stored, calls()]).toEqual([3, 3]);

  const held = failing(Infinity, BUSY);
  const refused = expect(untilStored(held.write, clock)).rejects.toBe(BUSY);
  for (let second = 0; second < 29; second += 1) {
    clock.advance(1_000);
    await new Promise(setImmediate);
  }
  await refused;
  expect([held.calls(), clock.pending]).toEqual([30, 0]);
});

it('FA3 any other failure is thrown at once', async () => {
  const error = new AppError('run_unknown', 'gone');
  const { write, calls } = failing(1, error);
  await expect(untilStored(write, new ManualClock())).rejects.toBe(error);
  expect(calls()).toBe(1);
});
