import type { EventDraft } from '../../shared/schema/events/events.ts';

const MICROSECOND_NS = 1_000n;

/** Filters that each pass some of the numbered events. */
export const FILTERS: readonly { types: string[]; sessions?: string[] }[] = [
  { types: ['*'] },
  { types: ['auto.*'] },
  { types: ['session.closed', 'daemon.*'] },
  { types: ['*'], sessions: ['even'] },
];

/**
 * One in two carries its creation time, in microseconds of the machine's monotonic clock, which all
 * its processes share.
 */
export function numberedEvent(number: number, padding: string): EventDraft {
  const session = number % 4 < 2 ? 'even' : 'odd';
  if (number % 8 === 0) return { type: 'daemon.stopping', data: {} };
  if (number % 2 === 0) return { type: 'session.closed', session, data: { reason: 'requested' } };
  const detail = `${microseconds()} ${padding}`;
  return { type: 'auto.signal_rejected', session, data: { cause: 'stale', detail } };
}

/** Milliseconds since the event was created, or null when it does not carry the time. */
export function ageOf(json: string): number | null {
  const made = /"detail":"(\d+) /.exec(json)?.[1];
  return made === undefined ? null : (microseconds() - Number(made)) / 1_000;
}

function microseconds(): number {
  return Number(process.hrtime.bigint() / MICROSECOND_NS);
}
