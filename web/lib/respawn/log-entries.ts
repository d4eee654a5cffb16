import type { RespawnStateName } from '$shared/rules/respawn/respawn-names.ts';
import type { EventRecord } from '$shared/schema/events/events.ts';

/** Entered with an event of the step itself, which says more. */
const SAID_BY_STEP: readonly RespawnStateName[] = [
  'waiting_update',
  'sending_clear',
  'waiting_clear',
  'sending_init',
  'waiting_init',
  'sending_kickstart',
  'waiting_kickstart',
];

/** Events of respawn without the changes of state that say nothing new. */
export function logEntries(events: readonly EventRecord[]): EventRecord[] {
  return events.filter(
    (event) => event.type !== 'respawn.state' || !SAID_BY_STEP.includes(event.data.state),
  );
}
