/** The one event that every contender publishes: 366 bytes of JSON with any number and time. */
import { type EventDraft, type EventRecord, subjectOf } from '../../shared/schema/events/events.ts';

export const EVENT_BYTES = 366;
/** From here every seq has seven digits. */
export const FIRST_SEQ = 1_000_000;
/** Precedes the time at which an event was sent. */
export const STAMP_MARK = 'sent:';
/** Nanoseconds of the machine's single monotonic clock. */
export const STAMP_DIGITS = 15;

type EndedDraft = Extract<EventDraft, { type: 'auto.ended' }>;
export type BenchEvent = EndedDraft & Pick<EventRecord, 'seq' | 'at' | 'subject'>;

const AT = new Date(0).toISOString();
const PADDING = 'no agent came in front of the terminal within ten seconds. '.repeat(5);
const paddingLength = EVENT_BYTES - JSON.stringify(eventWith(FIRST_SEQ, stamp(0n), '')).length;

/** The number counts from 0; the event carries the present time. */
export function benchEvent(number: number): BenchEvent {
  const padding = PADDING.slice(0, paddingLength);
  return eventWith(FIRST_SEQ + number, stamp(process.hrtime.bigint()), padding);
}

function stamp(nanoseconds: bigint): string {
  return nanoseconds.toString().slice(-STAMP_DIGITS).padStart(STAMP_DIGITS, '0');
}

function eventWith(seq: number, stamped: string, padding: string): BenchEvent {
  const data = {
    task_dir: '/srv/web/dark-mode',
    reason: 'max_iterations',
    iteration: 20,
    elapsed_seconds: 1_234.567,
    quota_wait_seconds: 0,
    restart_count: 1,
    recovery_count: 0,
    error: `${STAMP_MARK}${stamped} ${padding}`,
    evidence: [],
  } as const satisfies EndedDraft['data'];
  const draft: EndedDraft = { type: 'auto.ended', session: 'web', data };
  // The keys in the order in which the log writes them.
  return { seq, at: AT, type: draft.type, subject: subjectOf(draft), session: 'web', data };
}
