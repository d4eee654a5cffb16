/** Who is next: the one decision about the steps of an incident. Pure. */

export interface Escalation {
  /** The last step that began; 0: only the rule's own target. */
  step: number;
  /** When the next one begins, wall time in milliseconds; null: none does. */
  dueMs: number | null;
}

const MINUTE_MS = 60_000;

/** `minutes`: how long each step waits for an acknowledgement of what came before it. */
export function openEscalation(minutes: readonly number[], fromMs: number): Escalation {
  return { step: 0, dueMs: dueOf(minutes, 0, fromMs) };
}

/**
 * Null while nothing is due. One step at a time, and the next waits its whole time from now: after
 * an outage, not everyone is called at once. Steps that were removed from the rule do not begin.
 */
export function escalate(
  { step, dueMs }: Escalation,
  minutes: readonly number[],
  nowMs: number,
): Escalation | null {
  if (dueMs === null || nowMs < dueMs) return null;
  if (step >= minutes.length) return { step, dueMs: null };
  return { step: step + 1, dueMs: dueOf(minutes, step + 1, nowMs) };
}

function dueOf(minutes: readonly number[], step: number, fromMs: number): number | null {
  const wait = minutes[step];
  return wait === undefined ? null : fromMs + wait * MINUTE_MS;
}
