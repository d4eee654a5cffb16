import type { EventDraft } from '../../shared/schema/events/events.ts';
import type { EventLog } from '../events/event-log.ts';
import type { Log } from '../lib/log.ts';

/** Stores what was noticed of the fleet. A full disk costs the event, not what was noticed. */
export function storeFleetEvent(log: EventLog, logger: Log, draft: EventDraft): void {
  try {
    log.write((append) => append(draft));
  } catch (error) {
    logger.warn({ err: error, type: draft.type }, 'cannot store an event of the fleet');
  }
}
