import type { EventRecord } from '$shared/schema/events/events.ts';

/** Events that belong together: of one loop, or else of one day. */
export interface EventGroup {
  key: string;
  /** The start of the loop; null for a day. */
  start: Extract<EventRecord, { type: 'auto.started' }> | null;
  /** A time in the group, for its day. */
  at: string;
  /** Newest first. */
  events: EventRecord[];
}

const ENDS: readonly string[] = ['auto.ended', 'auto.failed'];

/**
 * Groups events of one session, both newest first. Events of a loop whose start is not among them
 * are grouped by day.
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
    // A loop may split a day in two.
    if (run === null && (group?.start !== null || !group.key.startsWith(key))) {
      group = { key: `${key} ${event.seq}`, start: null, at: event.at, events: [] };
      groups.push(group);
    }
    group?.events.unshift(event);
    if (ENDS.includes(event.type)) run = null;
  }
  return groups.reverse();
}
