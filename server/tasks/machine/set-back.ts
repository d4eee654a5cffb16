import { UNKNOWN_RESET_MS } from '../../turns/after-failure.ts';
import { iso, type Step } from './step.ts';

/**
 * The wall clock was set back: the task's own pause lasts as long as before. A reported reset is a
 * wall time, and stays.
 */
export function setBack({ state }: Step, byMs: number): void {
  const { stage, wait, dueMs } = state;
  if (stage !== 'waiting' || wait === null || dueMs === null) return;
  const sinceMs = Date.parse(wait.since);
  if (wait.reason === 'quota' && dueMs - sinceMs !== UNKNOWN_RESET_MS) return;
  state.dueMs = dueMs - byMs;
  state.wait = { ...wait, since: iso(sinceMs - byMs), until: iso(state.dueMs) };
}
