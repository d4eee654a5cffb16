import { WITNESS_TEXT } from '$shared/words/sessions/agent-text.ts';
import type { EventRecord } from '$shared/schema/events/events.ts';
import type { Evidence } from '$shared/schema/events/evidence.ts';

export function evidenceOf({ data }: EventRecord): readonly Evidence[] {
  return 'evidence' in data ? data.evidence : [];
}

/** The witness or actor of an event, if its sentence does not name it; or null. */
export function sourceOf(event: EventRecord): string | null {
  if (event.type !== 'session.agent_changed' || event.data.agent === null) return null;
  return `by ${WITNESS_TEXT[event.data.agent.witness]}`;
}
