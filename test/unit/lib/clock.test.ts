/** The system's clock where many timers fall due together. */
import { MessageChannel } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { systemClock, type Timer } from '../../../server/lib/clock.ts';

const MANY = 50;

/** Starts timers of one millisecond and returns once all are due; `act` gets their numbers. */
function manyDue(act: (number: number) => void): Timer[] {
  const timers = Array.from({ length: MANY }, (_, number) =>
    systemClock.after(1, () => act(number)),
  );
  const endMs = performance.now() + 5;
  while (performance.now() < endMs);
  return timers;
}

it('UL9 what arrives while many timers are due waits for a few of them, not for all', async () => {
  const { port1, port2 } = new MessageChannel();
  let ran = 0;
  const before = new Promise<number>((resolve) => port2.on('message', () => resolve(ran)));
  manyDue((number) => {
    ran += 1;
    if (number === 0) port1.postMessage('a signal');
  });
  expect(await before).toBeLessThan(MANY);
  port1.close();
});

it('UL9 timers that are due together run in their order, and not once they are cancelled', async () => {
  const ran: number[] = [];
  await new Promise<void>((resolve) => {
    const timers = manyDue((number) => {
      ran.push(number);
      if (number === 0) timers[1]?.cancel();
      if (number === MANY - 1) resolve();
    });
  });
  expect(ran).toEqual([0, ...Array.from({ length: MANY - 2 }, (_, index) => index + 2)]);
});
