/** Random histories of a log and its readers, over real sockets; each engine registers this suite. */
import { expect, it } from 'vitest';
import type { Transport } from '../../../server/transport/transport.ts';
import { randomOperations, writeOperations } from '../../support/tasks/delivery-operation.ts';
import { playSchedule } from '../../support/events/delivery-schedule.ts';
import { EventHome } from '../../support/events/event-home.ts';
import { Random, seeded, sized } from '../../support/house/random.ts';
import { SocketWire } from '../../support/transport/socket-wire.ts';

const SCHEDULES = sized({ short: 20, middle: 200, long: 10_000 });

/** `engine` is a message when it cannot run here. */
export function testEventDeliveryFuzz(name: string, engine: Transport | string): void {
  it.skipIf(typeof engine === 'string')(
    `EV3 EV5 EV8 EV18 every subscriber gets each event once over sockets of engine ${name}` +
      (typeof engine === 'string' ? `: ${engine}` : ''),
    async () => {
      if (typeof engine === 'string') return;
      using home = new EventHome();
      const { database } = home.open();
      await seeded(async (random) => {
        for (let number = 0; number < SCHEDULES; number += 1) {
          const seed = random.int(0, 2 ** 31);
          const operations = randomOperations(new Random(seed));
          const wrong = await playSchedule(database, new SocketWire(engine), operations);
          expect(wrong, `seed ${seed}:\n${writeOperations(operations)}`).toEqual([]);
        }
      });
    },
  );
}
