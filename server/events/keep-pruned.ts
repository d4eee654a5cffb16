import type { Clock, Timer } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { EventLog } from './event-log.ts';

const INTERVAL_MS = 60 * 60_000;
/** Between two rounds of a prune that has more to remove. */
const NEXT_ROUND_MS = 1_000;

/**
 * Removes old events at once and every hour after that, and calls `also` after each round. Returns the
 * function that stops it.
 */
export function keepPruned(
  log: EventLog,
  clock: Clock,
  logger: Log,
  also: () => void = () => undefined,
): () => void {
  let timer: Timer | null = null;
  const round = () => {
    let removed = 0;
    try {
      removed = log.prune();
      also();
    } catch (error) {
      logger.error({ err: error }, 'cannot remove old events');
    }
    timer = clock.after(removed > 0 ? NEXT_ROUND_MS : INTERVAL_MS, round);
  };
  round();
  return () => timer?.cancel();
}
