/** What a stored loop does now, also if another program wrote its row and left out fields. */
import type { Reason } from '../../../shared/schema/reasons.ts';
import {
  type LoopState,
  type LoopWait,
  NOTHING,
  type Now,
  type Stop,
  UNANSWERED,
} from '../machine/loop-state.ts';

/** Keeps what this status has, and fills in what it needs and the row does not have. */
export function nowOf(
  status: LoopState['status'],
  {
    stop,
    check,
    wait,
    quota,
    dueMs,
  }: Pick<LoopState, 'stop' | 'check' | 'wait' | 'quota' | 'dueMs'>,
  ageMs: number,
  startedAt: string,
): Now {
  const unexplained = (reason: Reason): LoopWait => ({
    reason,
    since: startedAt,
    until: null,
    evidence: [],
  });
  switch (status) {
    case 'starting':
      return { ...NOTHING, status };
    case 'running':
      return { ...NOTHING, status, wait, dueMs };
    case 'quota_wait': {
      const known = quota ?? { ...UNANSWERED, sinceMs: ageMs, untilMs: null };
      return { ...NOTHING, status, quota: known, wait: wait ?? unexplained('quota'), dueMs };
    }
    case 'restart_wait': {
      const known = wait ?? unexplained('crashed');
      return { ...NOTHING, status, wait: known, dueMs: dueMs ?? ageMs };
    }
    case 'stopping': {
      const known = stop ?? unrecorded('user_stop', startedAt);
      return {
        ...NOTHING,
        status,
        stop: known,
        wait: wait ?? unexplained(known.reason),
        dueMs,
        check,
      };
    }
    case 'failed':
      return { ...NOTHING, status, stop: stop ?? unrecorded('restart_limit', startedAt), wait };
  }
}

export function unrecorded(reason: Reason, requestedAt: string): Stop {
  return { reason, by: 'daemon', author: '', requestedAt, step: 'asked', evidence: [] };
}

/** A wait for quota that only the published column knows; null when there is none. */
export function publishedWait(since: string | null, startedAtMs: number): Now | null {
  if (since === null || since === '') return null;
  const atMs = Date.parse(since);
  if (Number.isNaN(atMs)) throw new Error(`"${since}" is not a time`);
  const sinceMs = Math.max(0, atMs - startedAtMs);
  return {
    ...NOTHING,
    status: 'quota_wait',
    quota: { ...UNANSWERED, sinceMs, untilMs: null },
    wait: { reason: 'quota', since, until: null, evidence: [] },
  };
}
