/** One sentence for each event of an auto loop. */
import type {
  Actor,
  QuotaEnd,
  RecoveryCause,
  SignalRejection,
} from '../../schema/loops/auto-events.ts';
import type { CheckOutcome } from '../../schema/loops/loop-check.ts';
import type { EventRecord } from '../../schema/events/events.ts';
import type { Reason } from '../../schema/reasons.ts';
import { countText } from '../count-text.ts';
import { because, byAuthor, type EventText, sentence } from './event-sentence.ts';
import { formatDuration } from '../format-duration.ts';
import { UNPROVEN_TEXT } from '../work/loop-text.ts';
import { reasonText } from '../reason-text.ts';
import { RECOVERY_FAILURE_TEXT } from '../work/recovery-text.ts';
import type { Tone } from '../tone.ts';

export type LoopEvent = Extract<EventRecord, { type: `auto.${string}` }>;

const REJECTED: Record<SignalRejection, string> = {
  not_a_file: 'not a file',
  too_large: 'too large',
  not_utf8: 'not UTF-8',
  not_json: 'not JSON',
  invalid_field: 'an invalid field',
  stale: 'older than the loop',
  other_run: 'from another run',
  foreign_owner: 'owned by another user',
  hard_link: 'a hard link',
  unreadable: 'unreadable',
};

const ACTOR: Record<Actor, string> = {
  person: 'a person',
  daemon: 'the daemon',
  file: 'a file in the task directory',
};

const CHECKED: Record<CheckOutcome, EventText> = {
  passed: { text: 'The checks passed', tone: 'good' },
  failed: { text: 'The checks failed', tone: 'fail' },
  none: { text: 'There was nothing to check', tone: 'wait' },
  error: { text: 'The checks could not be run', tone: 'fail' },
};

const RECOVERY: Record<RecoveryCause, string> = {
  stall: 'Stalled',
  api_error: 'API error',
  quota: 'Quota reset',
};

const QUOTA_END: Record<QuotaEnd, string> = {
  by_itself: 'the agent resumed on its own',
  nudged: 'the agent resumed after a nudge',
  stopped: 'the loop was stopped',
  agent_gone: 'the agent ended',
};

/** Ends that are no failure; the others need attention. */
const END_TONE: Partial<Record<Reason, Tone>> = {
  completed: 'good',
  user_stop: 'idle',
  user_closed: 'idle',
  cancelled: 'idle',
  timeout: 'wait',
  max_iterations: 'wait',
};

function endTone(why: Reason): Tone {
  return END_TONE[why] ?? 'fail';
}

export function describeLoopEvent(event: LoopEvent, timeText: (iso: string) => string): EventText {
  switch (event.type) {
    case 'auto.started': {
      const { task_dir, max_iterations, timeout_minutes, adopted } = event.data;
      const began = adopted === undefined ? 'started' : `of ${timeText(adopted.started_at)} found`;
      return sentence(
        `Loop ${began}${byAuthor(event.data)} on ${task_dir}, up to ${countText(max_iterations, 'iteration')} and ${timeout_minutes} min`,
        'work',
      );
    }
    case 'auto.signal': {
      const { step, result, next, iteration, suspicious } = event.data;
      const following = next === '(stop)' ? 'then stop' : `then ${next}`;
      const doubt = suspicious ? ' (unusual combination)' : '';
      return sentence(
        `Iteration ${iteration}: ${step} ${plain(result)}, ${following}${doubt}`,
        suspicious ? 'wait' : 'work',
      );
    }
    case 'auto.signal_rejected':
      return sentence(`Signal ignored: ${REJECTED[event.data.cause]}`, 'wait');
    case 'auto.limits_changed': {
      const { max_iterations, timeout_minutes } = event.data;
      const changed = `Limits set to ${countText(max_iterations, 'iteration')} and ${timeout_minutes} min`;
      return sentence(changed + byAuthor(event.data));
    }
    case 'auto.stop_requested': {
      const who = event.data.author ?? ACTOR[event.data.by];
      const why = event.data.reason === 'user_stop' ? '' : `: ${reason(event.data.reason)}`;
      return sentence(`Stop requested by ${who}${why}`, 'wait');
    }
    case 'auto.stop_escalated':
      return sentence(
        event.data.step === 'kill'
          ? 'Still running: agent killed'
          : 'Still running: interrupt sent',
        'wait',
      );
    case 'auto.stall_suspected':
      return sentence(`No progress for ${formatDuration(event.data.still_seconds)}`, 'wait');
    case 'auto.recovery_tried': {
      const { answer, recovery_count_step: count } = event.data;
      const typed = answer === '' ? 'Enter' : `“${answer}”`;
      return sentence(`${RECOVERY[event.data.cause]}: typed ${typed} (recovery ${count})`, 'wait');
    }
    case 'auto.recovered':
      return sentence(`Recovered after ${formatDuration(event.data.after_seconds)}`, 'work');
    case 'auto.recovery_failed':
      return sentence(
        `${RECOVERY[event.data.cause]}: ${RECOVERY_FAILURE_TEXT[event.data.failure]}`,
        'wait',
      );
    case 'auto.quota_entered': {
      const end = event.data.until === null ? '' : ` until ${timeText(event.data.until)}`;
      return sentence(`Waiting for quota${end}`, 'wait');
    }
    case 'auto.quota_left': {
      const waited = formatDuration(event.data.waited_seconds);
      return sentence(`Quota wait ended after ${waited}: ${QUOTA_END[event.data.how]}`, 'work');
    }
    case 'auto.restart_scheduled': {
      const { restart_count, delay_ms } = event.data;
      const delay = formatDuration(delay_ms / 1000);
      return sentence(`${reason(event.data.reason)}: restart ${restart_count} in ${delay}`, 'wait');
    }
    case 'auto.restarted':
      return sentence(`Restarted for the ${ordinal(event.data.restart_count)} time`, 'work');
    case 'auto.check_started':
      return sentence(
        `Checking the end: ${event.data.commands.join(', ') || 'no checks found'}`,
        'wait',
      );
    case 'auto.checked':
      return CHECKED[event.data.outcome];
    case 'auto.sent_back':
      return sentence(`Sent back to the agent for the ${ordinal(event.data.times)} time`, 'wait');
    case 'auto.failed':
      return sentence(
        `Loop failed: ${reason(event.data.reason)}${because(event.data.error)}`,
        'fail',
      );
    case 'auto.ended': {
      const { iteration, elapsed_seconds, error, unproven } = event.data;
      const doubt = unproven === undefined ? '' : `, ${UNPROVEN_TEXT[unproven]}`;
      const spent = `${countText(iteration, 'iteration')} in ${formatDuration(elapsed_seconds)}`;
      return sentence(
        `Loop ended: ${reason(event.data.reason)}${doubt}, ${spent}${because(error)}`,
        unproven === undefined ? endTone(event.data.reason) : 'wait',
      );
    }
  }
}

function reason(value: Reason): string {
  return reasonText(value).label;
}

function plain(result: string): string {
  return result.replace(/^\((.*)\)$/, '$1');
}

function ordinal(count: number): string {
  const endings: Record<number, string> = { 1: 'st', 2: 'nd', 3: 'rd' };
  return `${count}${endings[count] ?? 'th'}`;
}
