import type { CheckpointSummary } from '../../shared/schema/runs/checkpoint.ts';
import { Reason } from '../../shared/schema/reasons.ts';

export interface StoredEnd {
  status: 'done' | 'failed' | 'stopped';
  reason: Reason;
  error: string | null;
}

/**
 * How a run ended, from its checkpoint alone. One without an end was interrupted. A reason without
 * a forced stop is a failure; a reason that is none of ours is what a person or another program
 * wrote.
 */
export function storedEnd({
  phase,
  force_stopped,
  force_stop_reason,
}: Pick<CheckpointSummary, 'phase' | 'force_stopped' | 'force_stop_reason'>): StoredEnd {
  if (phase === 'complete') return { status: 'done', reason: 'completed', error: null };
  const reason = Reason.safeParse(force_stop_reason);
  if (!reason.success)
    return { status: 'stopped', reason: 'interrupted', error: force_stop_reason };
  return { status: force_stopped ? 'stopped' : 'failed', reason: reason.data, error: null };
}
