/** Events in wire form, without a log. */
import {
  type EventDraft,
  type EventRecord,
  type EventType,
  subjectOf,
} from '../../../shared/schema/events/events.ts';

/** Adds what a log adds. */
export function eventRecord<Type extends EventType>(
  draft: Extract<EventDraft, { type: Type }>,
  seq: number,
  at = '2026-01-01T00:00:00.000Z',
): Extract<EventRecord, { type: Type }> {
  const record = { ...draft, seq, at, subject: subjectOf(draft) };
  return record as unknown as Extract<EventRecord, { type: Type }>;
}
