/** When a terminal is worth a picture: pure. A picture costs about 5 ms of CPU, a look next to nothing. */
import type { AgentStateName } from '../../../shared/schema/agent-state.ts';

/** The kernel tells the time of a write in steps of 8 s: more may follow unseen within one. */
const CHANGE_STEP_MS = 8_000;
/** A client without a record is known by its screen alone. */
const WITHOUT_RECORD_MS = 1_000;
/** At work: for a retry, a compaction, a stream that hangs. */
const AT_WORK_MS = 15_000;
const AT_REST_MS = 4_000;
const AT_WORK: readonly AgentStateName[] = ['working', 'background'];

/**
 * Takes wall times in milliseconds (`takenAtMs` of the last picture, `changedAtMs` of the last write
 * to the terminal, null when nobody can tell); tells whether another picture is due.
 */
export function isSnapshotDue(known: {
  nowMs: number;
  takenAtMs: number | null;
  changedAtMs: number | null;
  state: AgentStateName;
  hasRecord: boolean;
}): boolean {
  const { nowMs, takenAtMs, changedAtMs, state, hasRecord } = known;
  if (takenAtMs === null) return true;
  if (isUnchangedSince(takenAtMs, changedAtMs, nowMs)) return false;
  const pause = AT_WORK.includes(state) && hasRecord ? AT_WORK_MS : AT_REST_MS;
  return nowMs - takenAtMs >= (hasRecord ? pause : WITHOUT_RECORD_MS);
}

/**
 * Takes wall times as above; tells whether a picture taken then surely shows what is there now. One
 * that was taken before the clock was set back proves nothing.
 */
export function isUnchangedSince(
  takenAtMs: number,
  changedAtMs: number | null,
  nowMs: number,
): boolean {
  if (changedAtMs === null || takenAtMs > nowMs) return false;
  return takenAtMs >= changedAtMs + CHANGE_STEP_MS;
}
