import type { Need } from '../../attention/attention-for.ts';
import type { LoopState } from '../machine/loop-state.ts';

/** What a loop needs a person for, besides its agent's own requests. */
export function loopNeed({ status, stop, wait, quota, dueMs, error }: LoopState): Need | null {
  if (status === 'failed') {
    const waitsForOthers = stop.reason === 'budget' && wait !== null && wait.until === null;
    // Both start again on their own.
    if (stop.reason === 'reserve' || waitsForOthers) return null;
    return { reason: stop.reason, title: 'The loop failed', detail: error };
  }
  const detail = wait?.evidence.flatMap(({ lines }) => lines).join('\n') ?? null;
  if (wait?.reason === 'stalled') {
    return { reason: 'stalled', title: 'The loop stalled', detail };
  }
  if (wait?.reason === 'kill_withheld') {
    return { reason: 'kill_withheld', title: 'The agent does not stop', detail };
  }
  if (status === 'quota_wait' && quota.nudges > 0 && dueMs === null) {
    return { reason: 'quota', title: 'The agent did not resume after its limit', detail };
  }
  return null;
}
