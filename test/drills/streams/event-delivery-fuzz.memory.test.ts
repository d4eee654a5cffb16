/** Random histories of a log and its readers, with a wire in memory: no event is lost or repeated. */
import { expect, it } from 'vitest';
import {
  type Operation,
  randomOperations,
  writeOperations,
} from '../../support/tasks/delivery-operation.ts';
import { playSchedule } from '../../support/events/delivery-schedule.ts';
import { EventHome } from '../../support/events/event-home.ts';
import { MemoryWire } from '../../support/transport/memory-wire.ts';
import { Random, seeded, sized } from '../../support/house/random.ts';

const SCHEDULES = sized({ short: 500, middle: 2_000, long: 10_000 });

/** Past failures, by their cause. */
const REGRESSIONS: Record<string, readonly Operation[]> = {
  'a subscription that ended just as its peer had caught up went live': [
    { do: 'append', count: 260 },
    { do: 'subscribe', reader: 2, filter: 2, start: 'oldest' },
    { do: 'turn' },
    { do: 'subscribe', reader: 2, filter: 0, start: 'cursor' },
    { do: 'append', count: 1 },
  ],
};

it.each(Object.entries(REGRESSIONS))('EV3 EV8 EV18 never again: %s', async (_, operations) => {
  using home = new EventHome();
  const { database } = home.open();
  expect(await playSchedule(database, new MemoryWire(), operations)).toEqual([]);
});

it('EV3 EV5 EV8 EV18 every subscriber gets each event once, over any sequence of cuts and pauses', async () => {
  using home = new EventHome();
  const { database } = home.open();
  await seeded(async (random) => {
    for (let number = 0; number < SCHEDULES; number += 1) {
      const seed = random.int(0, 2 ** 31);
      const operations = randomOperations(new Random(seed));
      const wrong = await playSchedule(database, new MemoryWire(), operations);
      expect(wrong, `seed ${seed}:\n${writeOperations(operations)}`).toEqual([]);
    }
  });
});
