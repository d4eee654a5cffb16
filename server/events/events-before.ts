/** Reads the log backwards: a page of events before a seq, newest first. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { readSubject } from '../../shared/schema/events/subject.ts';
import { encodeEvent } from './encode-event.ts';
import type { EncodedEvent, EventLog, EventScope } from './event-log.ts';
import { type EventFilter, eventSelector } from './event-stream.ts';

/** Events checked per tick, and pages per answer, which names where to continue. */
const PAGE_EVENTS = 1_000;
const MAX_PAGES = 20;

export interface EarlierEvents {
  /** Newest first. */
  events: EncodedEvent[];
  /** The `before` of the next page; 0 when nothing older is kept. */
  next: number;
}

/** The newest events with a seq below `before` that pass the filter, at most `limit`. */
export async function eventsBefore(
  log: EventLog,
  before: number,
  filter: EventFilter,
  limit: number,
): Promise<EarlierEvents> {
  const selects = eventSelector(filter);
  const only = oneOf(filter);
  const events: EncodedEvent[] = [];
  let next = Math.min(before, log.head + 1);
  for (let pages = 0; pages < MAX_PAGES && next > log.oldest; pages += 1) {
    if (pages > 0) await yieldToEventLoop();
    const page = only === null ? readBefore(log, next) : readAmongBefore(log, only, next);
    for (const event of page.events) {
      if (!selects(event)) continue;
      events.push(event);
      if (events.length === limit) return { events, next: event.seq };
    }
    next = page.next;
  }
  return { events, next: next <= log.oldest ? 0 : next };
}

function readBefore(log: EventLog, before: number): EarlierEvents {
  const first = Math.max(log.oldest, before - PAGE_EVENTS);
  return { events: log.read(first - 1, before - first).reverse(), next: first };
}

/** The one session or subject the filter selects, if only one, since that has an index. */
function oneOf({ sessions, subjects }: EventFilter): EventScope | null {
  const [session, subject] = [sessions?.[0], subjects?.[0]];
  if ((sessions?.length ?? 0) + (subjects?.length ?? 0) !== 1) return null;
  if (session !== undefined) return { session };
  return subject === undefined ? null : readSubject(subject);
}

/** By an index: such events may be far apart. */
function readAmongBefore(log: EventLog, among: EventScope, before: number): EarlierEvents {
  const found = log.typesBefore(among, before, PAGE_EVENTS);
  const first = found.at(-1)?.seq;
  if (first === undefined) return { events: [], next: log.oldest };
  const events = log.readAmong(among, first - 1, found.length).map(encodeEvent);
  return { events: events.reverse(), next: found.length < PAGE_EVENTS ? log.oldest : first };
}
