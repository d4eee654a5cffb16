import { WITNESS_TEXT } from '$shared/words/agent-text.ts';
import type { EventRecord } from '$shared/schema/events.ts';
import type { Evidence } from '$shared/schema/evidence.ts';

/** Takes an event; gives what it rests on, exactly as it was seen. */
export function evidenceOf({ data }: EventRecord): readonly Evidence[] {
  return 'evidence' in data ? data.evidence : [];
}

/** Takes an event; gives who said or did it, in words, where its sentence does not say so; or null. */
export function sourceOf(event: EventRecord): string | null {
  if (event.type !== 'session.agent_changed' || event.data.agent === null) return null;
  return `by ${WITNESS_TEXT[event.data.agent.witness]}`;
}
