/** Shared by the two HTTP ways into the event stream: their cursor and their filter. */
import { type Cursor, parseCursor } from '../../shared/schema/events/cursor.ts';
import { isTypePattern } from '../../shared/schema/events/events.ts';
import type { EventFilter } from '../events/event-stream.ts';
import { AppError } from '../lib/app-error.ts';

/** Throws `invalid_query` for an unknown type. */
export function eventFilter(query: {
  types?: string[];
  session?: string[];
  subject?: string[];
}): EventFilter {
  const unknown = query.types?.find((pattern) => !isTypePattern(pattern));
  if (unknown !== undefined) {
    throw new AppError('invalid_query', `types: unknown event type "${unknown.slice(0, 64)}"`);
  }
  const { types = ['*'], session: sessions = null, subject: subjects = null } = query;
  return { types, sessions, subjects };
}

/** `text` was checked before; `fallback` applies without it. */
export function eventCursor(text: string | null | undefined, fallback: number | null): Cursor {
  if (text === undefined || text === null) return { after: fallback, epoch: null };
  const cursor = parseCursor(text);
  if (cursor === null) throw new AppError('invalid_query', 'after: must be a seq or epoch:seq');
  return cursor;
}
