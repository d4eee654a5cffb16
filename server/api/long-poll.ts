/** One page of the event stream, at once or as soon as there is an event. */
import type { Cursor } from '../../shared/schema/events/cursor.ts';
import type { EncodedEvent, EventLog } from '../events/event-log.ts';
import { eventsBefore } from '../events/events-before.ts';
import { type EventFilter, eventStream, resolveCursor } from '../events/event-stream.ts';
import type { Clock } from '../lib/clock.ts';
import { linkSignals } from '../lib/link-signals.ts';
import type { EventReaders } from './event-readers.ts';

export interface PageRequest {
  cursor: Cursor;
  filter: EventFilter;
  limit: number;
  /** How long to wait for a first event; 0 answers at once. */
  waitMs: number;
  /** The caller went away, or the daemon stops. */
  signal: AbortSignal;
}

/** The JSON of an events page. Counts waiting requests and sent events in `readers`. */
export async function eventsPage(
  log: EventLog,
  clock: Clock,
  readers: EventReaders,
  { cursor, filter, limit, waitMs, signal }: PageRequest,
): Promise<string> {
  const start = resolveCursor(log, cursor);
  if ('reset' in start) {
    const { head, oldest } = log;
    return page(log, head, [], { reason: start.reset, oldest, head });
  }
  const enough = new AbortController();
  const timer = clock.after(waitMs, () => enough.abort());
  const until = linkSignals(enough.signal, signal);
  const collected: EncodedEvent[] = [];
  let next = start.after;
  const waiting = waitMs === 0 ? 0 : 1;
  readers.polls += waiting;
  try {
    if (waitMs === 0 && next >= log.head) return page(log, next, []);
    const cursor = { after: next, epoch: null };
    for await (const item of eventStream(log, cursor, filter, until.signal)) {
      if (item.kind === 'reset') return page(log, item.head, [], item);
      collected.push(...item.events);
      next = item.cursor;
      const caughtUp = next >= log.head;
      if (collected.length >= limit || (caughtUp && (waitMs === 0 || collected.length > 0))) break;
    }
  } finally {
    readers.polls -= waiting;
    timer.cancel();
    until.release();
  }
  if (collected.length > limit) {
    collected.length = limit;
    next = collected.at(-1)?.seq ?? next;
  }
  readers.polled += collected.length;
  return page(log, next, collected);
}

/** The JSON of a page of the events before the cursor, newest first. */
export async function earlierPage(
  log: EventLog,
  { epoch, after: before }: Cursor,
  filter: EventFilter,
  limit: number,
): Promise<string> {
  const { head, oldest } = log;
  if (epoch !== null && epoch !== log.epoch) {
    return page(log, head, [], { reason: 'epoch', oldest, head });
  }
  const { events, next } = await eventsBefore(log, before ?? head + 1, filter, limit);
  return page(log, next, events);
}

function page(
  log: EventLog,
  next: number,
  events: readonly EncodedEvent[],
  reset?: { reason: string; oldest: number; head: number },
): string {
  const { epoch, head } = log;
  const resetBody = reset && { reason: reset.reason, oldest: reset.oldest, head: reset.head };
  const rest = JSON.stringify({ epoch, head, next, reset: resetBody });
  // The events are JSON already.
  return `${rest.slice(0, -1)},"events":[${events.map(({ json }) => json).join(',')}]}`;
}
