/**
 * When to take a snapshot of a terminal: pure. A snapshot costs about 5 ms of CPU, a probe next to
 * nothing.
 */
import type { AgentStateName } from '../../../shared/schema/agents/agent-state.ts';

/** The kernel reports the time of a write in steps of 8 s: more may follow unseen within one. */
const CHANGE_STEP_MS = 8_000;
/** A client without a record is known only by its screen. */
const WITHOUT_RECORD_MS = 1_000;
/** While working: for a retry, a compaction, a hung stream. */
const AT_WORK_MS = 15_000;
const AT_REST_MS = 4_000;
const AT_WORK: readonly AgentStateName[] = ['working', 'background'];

/**
 * Wall times in milliseconds: `takenAtMs` of the last snapshot, `changedAtMs` of the last write to
 * the terminal, null when unknown.
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
 * Wall times as above. True when a snapshot taken then certainly shows the current screen. One from
 * before the clock was set back proves nothing.
 */
export function isUnchangedSince(
  takenAtMs: number,
  changedAtMs: number | null,
  nowMs: number,
): boolean {
  if (changedAtMs === null || takenAtMs > nowMs) return false;
  return takenAtMs >= changedAtMs + CHANGE_STEP_MS;
}
