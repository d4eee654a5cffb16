/** Says that this host is there: at once, every 10 s, and after each new connection. */
import type { HostFacts } from '../../shared/schema/fleet.ts';
import { messageOf } from '../lib/app-error.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Carrier } from './carrier.ts';

const EVERY_MS = 10_000;

/**
 * Returns the function that stops it; the other hosts then notice by its silence. `onChange` gets
 * what to call when this host has something new to say.
 */
export function keepPresent(options: {
  carrier: Carrier;
  self: () => HostFacts;
  clock: Clock;
  logger: Log;
  onChange?: (say: () => void) => void;
}): () => void {
  const { carrier, self, clock, logger, onChange } = options;
  let timer: Timer | null = null;
  let isStopped = false;
  const say = () => {
    timer?.cancel();
    timer = isStopped ? null : clock.after(EVERY_MS, say);
    if (isStopped || !carrier.isConnected) return;
    carrier.present(self()).catch((error: unknown) => {
      logger.warn({ error: messageOf(error) }, 'cannot say to the fleet that this host is there');
    });
  };
  const stopListening = carrier.onConnection((isConnected) => {
    if (isConnected) say();
  });
  say();
  onChange?.(say);
  return () => {
    isStopped = true;
    timer?.cancel();
    stopListening();
  };
}
