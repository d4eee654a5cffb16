/**
 * One consumer's way through the log: what it missed, then live events, in one order, exactly once.
 * Holds a cursor and no buffer, so a consumer that pauses costs nothing and loses nothing.
 */
import type { Cursor, ResetReason } from '../../shared/schema/events/cursor.ts';
import { matchesType } from '../../shared/rules/events/matches-type.ts';
import type { EncodedEvent, EventLog } from './event-log.ts';

export interface EventFilter {
  /** Exact types or `prefix.*`; `*` selects all. */
  types: readonly string[];
  /** Names of sessions, and subjects as `kind:id`; both null select all. */
  sessions: readonly string[] | null;
  subjects?: readonly string[] | null;
}

export type StreamItem =
  /** `events` may be empty: the cursor then moved past events that the filter excluded. */
  | { kind: 'events'; events: EncodedEvent[]; cursor: number }
  | { kind: 'reset'; reason: ResetReason; oldest: number; head: number };

const PAGE_EVENTS = 500;

/** The seq to continue after, or why the cursor cannot be used. */
export function resolveCursor(
  log: EventLog,
  cursor: Cursor,
): { after: number } | { reset: ResetReason } {
  if (cursor.after === null) return { after: log.head };
  if (cursor.after === 0) return { after: log.oldest - 1 };
  if (cursor.epoch !== null && cursor.epoch !== log.epoch) return { reset: 'epoch' };
  if (cursor.after > log.head) return { reset: 'future' };
  if (cursor.after < log.oldest - 1) return { reset: 'expired' };
  return { after: cursor.after };
}

export function eventSelector(
  filter: EventFilter,
): (event: Pick<EncodedEvent, 'type' | 'session' | 'subject'>) => boolean {
  const isAbout = filter.sessions !== null || (filter.subjects ?? null) !== null;
  const sessions = new Set(filter.sessions);
  const subjects = new Set(filter.subjects);
  const all = filter.types.includes('*');
  return (event) =>
    (all || filter.types.some((pattern) => matchesType(pattern, event.type))) &&
    (!isAbout ||
      (event.session !== null && sessions.has(event.session)) ||
      subjects.has(event.subject));
}

/**
 * Endless, until `signal` aborts. Each item carries what one tick produced, at most a page. A
 * cursor that cannot be used, at the start or because the consumer paused past retention, yields a
 * `reset`; live events follow from the head.
 */
export async function* eventStream(
  log: EventLog,
  cursor: Cursor,
  filter: EventFilter,
  signal: AbortSignal,
): AsyncGenerator<StreamItem, void, void> {
  const selects = eventSelector(filter);
  let wake: () => void = () => undefined;
  const stopListening = log.listen(() => wake());
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const start = resolveCursor(log, cursor);
    let after = 'after' in start ? start.after : log.head;
    if ('reset' in start) {
      yield { kind: 'reset', reason: start.reset, oldest: log.oldest, head: after };
    }
    while (!signal.aborted) {
      if (after < log.oldest - 1) {
        after = log.head;
        yield { kind: 'reset', reason: 'expired', oldest: log.oldest, head: after };
      } else if (after < log.head) {
        const page = log.read(after, PAGE_EVENTS);
        after = page.at(-1)?.seq ?? log.head;
        yield { kind: 'events', events: page.filter(selects), cursor: after };
      } else {
        await new Promise<void>((resolve) => (wake = resolve));
      }
    }
  } finally {
    stopListening();
    signal.removeEventListener('abort', onAbort);
  }
}
