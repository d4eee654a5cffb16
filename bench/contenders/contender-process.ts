/** The process of one contender, started with its name and a directory for its files. */
import { join } from 'node:path';
import { answerAsks } from '../rig/bench-child.ts';
import type { ContenderName } from './contender.ts';
import { openContender } from './open-contender.ts';
import { Production } from './production.ts';
import { Receipts, RECEIPTS } from './receipts.ts';

/** The requests the bench sends to a contender's process. */
export type ContenderAsk =
  | { ask: 'open' }
  | { ask: 'saturate'; eventsATurn: number; forMs: number }
  | { ask: 'pace'; perSecond: number; count: number; generator: number }
  | { ask: 'memory' };

const [name, directory] = process.argv.slice(2) as [ContenderName, string];
const receipts = new Receipts();
await receipts.listen(join(directory, RECEIPTS));
const contender = await openContender(name, directory);
const production = new Production(contender, receipts);

answerAsks(async (asked) => {
  const ask = asked as ContenderAsk;
  switch (ask.ask) {
    case 'open': {
      const { port, greeting, wireBytes } = contender;
      return { port, greeting, wireBytes };
    }
    case 'saturate':
      return production.saturate(ask.eventsATurn, ask.forMs);
    case 'pace':
      return production.pace(ask.perSecond, ask.count, ask.generator);
    case 'memory':
      globalThis.gc?.();
      return Promise.resolve(process.memoryUsage.rss());
  }
});
