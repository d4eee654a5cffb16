/** Every contender of the bench and the subscribers it is measured with, in one process. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { benchEvent } from '../../../bench/contenders/bench-event.ts';
import { CONTENDERS, type ContenderName } from '../../../bench/contenders/contender.ts';
import { openContender } from '../../../bench/contenders/open-contender.ts';
import { receiptsOf } from '../../../bench/load/stamps.ts';
import { SubscriberSockets } from '../../../bench/load/subscriber-sockets.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';
import { until } from '../../support/house/until.ts';

const NAMES = Object.keys(CONTENDERS) as ContenderName[];

it.each(NAMES)('BE3 %s sends each subscriber each event to the byte', async (name) => {
  const directory = mkdtempSync(join(TEST_ROOT, 'bench'));
  const contender = await openContender(name, directory);
  let stamps = 0;
  const sockets = new SubscriberSockets((bytes) => (stamps += receiptsOf(bytes).length));
  try {
    await sockets.open(contender, 3);
    expect(sockets.bytes).toEqual([0, 0, 0]);
    contender.publish([benchEvent(0)]);
    contender.publish([benchEvent(1), benchEvent(2)]);
    await until('nine receipts', () => stamps === 9);
    expect(sockets.bytes).toEqual([0, 1, 2].map(() => 3 * contender.wireBytes));
  } finally {
    sockets[Symbol.dispose]();
    contender.close();
    rmSync(directory, { recursive: true });
  }
});

it('BE3 a subscriber that is refused fails the run', async () => {
  const directory = mkdtempSync(join(TEST_ROOT, 'bench'));
  const contender = await openContender('loopwatch-ws', directory);
  const sockets = new SubscriberSockets(() => undefined);
  const greeting = {
    ...contender.greeting,
    request: contender.greeting.request.replace('Bearer a', 'Bearer b'),
  };
  try {
    await expect(sockets.open({ port: contender.port, greeting }, 1)).rejects.toThrow('401');
  } finally {
    sockets[Symbol.dispose]();
    contender.close();
    rmSync(directory, { recursive: true });
  }
});
