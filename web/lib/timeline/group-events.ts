import type { EventRecord } from '$shared/schema/events.ts';

/** Events that belong together: those of one run of a loop, or else of one day. */
export interface EventGroup {
  key: string;
  /** The beginning of the run; null for a day. */
  start: Extract<EventRecord, { type: 'auto.started' }> | null;
  /** An instant of the group, for its day. */
  at: string;
  /** Newest first. */
  events: EventRecord[];
}

const ENDS: readonly string[] = ['auto.ended', 'auto.failed'];

/**
 * Takes events of one session, newest first, and how to name the day of an instant; gives them in
 * groups, newest first. Events of a run whose beginning is not among them go by their day.
 */
export function groupEvents(
  events: readonly EventRecord[],
  dayOf: (at: string) => string,
): EventGroup[] {
  const groups: EventGroup[] = [];
  let run: EventGroup | null = null;
  for (const event of events.toReversed()) {
    if (event.type === 'auto.started') {
      run = { key: `run ${event.seq}`, start: event, at: event.at, events: [] };
      groups.push(run);
    }
    let group = run ?? groups.at(-1);
    const key = `day ${dayOf(event.at)}`;
    // A day may be cut in two by a run.
    if (run === null && (group?.start !== null || !group.key.startsWith(key))) {
      group = { key: `${key} ${event.seq}`, start: null, at: event.at, events: [] };
      groups.push(group);
    }
    group?.events.unshift(event);
    if (ENDS.includes(event.type)) run = null;
  }
  return groups.reverse();
}
