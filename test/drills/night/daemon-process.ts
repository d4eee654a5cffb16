/**
 * The daemon of a simulated night, in a process of its own to be killed: the real one, with a clock
 * that its parent moves.
 */
import { readFileSync } from 'node:fs';
import { createDaemon } from '../../../server/daemon/daemon.ts';
import { readConfig } from '../../../server/lib/config/config.ts';
import { NightClock } from './night-clock.ts';

const { env } = process;
const clock = new NightClock(Number(readFileSync(env['LOOPWATCH_STAND_IN_CLOCK'] ?? '', 'utf8')));
const daemon = await createDaemon(readConfig(env), { clock, environment: env });

process.on('message', (message: { skipMs: number } | 'close') => {
  if (message === 'close') void daemon.close().then(() => process.exit(0));
  else {
    clock.skip(message.skipMs);
    setImmediate(() => process.send?.('skipped'));
  }
});
process.on('disconnect', () => process.exit(0));
process.send?.({ url: daemon.url, token: daemon.token });
