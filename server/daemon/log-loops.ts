import type { EventRecord } from '../../shared/schema/events/events.ts';
import { describeEvent } from '../../shared/words/events/describe-event.ts';
import type { EventLog } from '../events/event-log.ts';
import type { Log } from '../lib/log.ts';

const PAGE = 500;

/**
 * Writes each event of a loop into the log of the daemon too, in words: signals, stalls, failures.
 * The log outlives the events. Returns the function that stops it.
 */
export function logLoops(log: EventLog, logger: Log): () => void {
  let after = log.head;
  return log.listen(() => {
    for (let events = log.read(after, PAGE); events.length > 0; events = log.read(after, PAGE)) {
      for (const { seq, type, session, json } of events) {
        after = seq;
        if (!type.startsWith('auto.')) continue;
        const { text, tone } = describeEvent(JSON.parse(json) as EventRecord);
        logger[tone === 'fail' ? 'warn' : 'info']({ session, seq, event: type }, text);
      }
    }
  });
}
