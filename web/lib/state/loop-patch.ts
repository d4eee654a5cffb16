/** What an event changes in a loop: shown at once, before the loop is read again. Pure. */
import type { EventRecord } from '$shared/schema/events.ts';
import type { Evidence } from '$shared/schema/evidence.ts';
import type { Loop, Wait } from '$shared/schema/model.ts';
import { REASON_TEXT } from '$shared/words/reason-text.ts';
import type { Reason } from '$shared/schema/reasons.ts';

/** Null when the event changes nothing. */
export function loopPatch(loop: Loop, event: EventRecord): Partial<Loop> | null {
  switch (event.type) {
    case 'auto.signal': {
      const { step, result, next, checkpoint, iteration } = event.data;
      const signal = { step, result, next, checkpoint, iteration, last_signal_at: event.at };
      return { ...signal, ...atWork(loop) };
    }
    case 'auto.limits_changed':
      return {
        max_iterations: event.data.max_iterations,
        timeout_minutes: event.data.timeout_minutes,
        timeout_seconds: event.data.timeout_minutes * 60,
      };
    case 'auto.recovery_tried':
      return recoveries(event.data);
    case 'auto.recovery_failed': {
      const { cause, evidence } = event.data;
      const isNewStall = cause !== 'quota' && loop.wait?.reason !== 'stalled';
      const wait = isNewStall ? waitFor('stalled', event.at, null, evidence) : loop.wait;
      return { ...recoveries(event.data), wait };
    }
    case 'auto.recovered':
      return atWork(loop);
    case 'auto.quota_entered': {
      const { until, evidence } = event.data;
      return { status: 'quota_wait', wait: waitFor('quota', event.at, until, evidence) };
    }
    case 'auto.quota_left': {
      const continues = event.data.how === 'by_itself' || event.data.how === 'nudged';
      return { status: continues ? 'running' : loop.status, wait: null };
    }
    case 'auto.stop_requested': {
      const { reason, evidence } = event.data;
      return { status: 'stopping', stop_reason: reason, stop_evidence: evidence, wait: null };
    }
    case 'auto.restart_scheduled': {
      const { restart_count, reason, delay_ms, evidence } = event.data;
      const until = new Date(Date.parse(event.at) + delay_ms).toISOString();
      const wait = waitFor(reason, event.at, until, evidence);
      return { status: 'restart_wait', restart_count, wait };
    }
    case 'auto.restarted':
      return { status: 'running', restart_count: event.data.restart_count, wait: null };
    case 'auto.failed':
      return {
        status: 'failed',
        stop_reason: event.data.reason,
        stop_evidence: event.data.evidence,
        error: event.data.error,
        iteration: event.data.iteration,
        elapsed_seconds: event.data.elapsed_seconds,
        quota_wait_seconds: event.data.quota_wait_seconds,
        restart_count: event.data.restart_count,
        recovery_count_total: event.data.recovery_count,
        wait: null,
      };
    default:
      return null;
  }
}

/** The agent reported or works again, so the loop is no longer stalled. */
function atWork({ status, wait }: Loop): Partial<Loop> {
  if (status === 'starting' || status === 'quota_wait') return { status: 'running', wait: null };
  return { wait: wait?.reason === 'stalled' ? null : wait };
}

function recoveries(
  counts: Record<'recovery_count_step' | 'recovery_count_total', number>,
): Partial<Loop> {
  const { recovery_count_step, recovery_count_total } = counts;
  return { recovery_count_step, recovery_count_total };
}

/** `next` is a general text here; reading the loop replaces it with the exact one. */
function waitFor(reason: Reason, since: string, until: string | null, evidence: Evidence[]): Wait {
  return { reason, since, until, next: REASON_TEXT[reason].next, evidence };
}
