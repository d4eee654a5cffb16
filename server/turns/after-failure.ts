/** What follows from a turn that failed, for any owner. Pure. */
import type { Reason } from '../../shared/schema/reasons.ts';
import type { TurnError } from '../agents/headless/turn-outcome.ts';

/** For a reset that is not known. */
export const UNKNOWN_RESET_MS = 30 * 60_000;

export interface FailurePolicy {
  /** Pauses after temporary failures, in milliseconds; their number is the limit. */
  errorDelaysMs: readonly number[];
  /** After a reset. */
  quotaDelaysMs: readonly number[];
}

export interface FailedTurn {
  error: TurnError;
  /** Wall time at which a limit ends, where it is known. */
  until: number | null;
}

export type FailureStep =
  /** The next message is sent at once. */
  | { kind: 'again' }
  /** `dueMs`: wall time; null: only a person ends it. `isRetry`: one more failure in a row. */
  | { kind: 'wait'; reason: Reason; dueMs: number | null; isRetry: boolean }
  /** Once more at once, through the queue; it counts as a failure in a row. */
  | { kind: 'retry' }
  | { kind: 'new_conversation' }
  | { kind: 'fail'; reason: Reason };

/** `failures` and `lostConversations`: how many there were in a row before this one. */
export function afterFailure(
  { error, until }: FailedTurn,
  { failures, lostConversations }: { failures: number; lostConversations: number },
  policy: FailurePolicy,
  wallMs: number,
): FailureStep {
  const waitForPerson = (reason: Reason) =>
    ({ kind: 'wait', reason, dueMs: null, isRetry: false }) as const;
  const later = (reason: 'overloaded' | 'api_error' | 'agent_not_started'): FailureStep => {
    const delay = policy.errorDelaysMs[failures];
    if (delay !== undefined) return { kind: 'wait', reason, dueMs: wallMs + delay, isRetry: true };
    return { kind: 'fail', reason: reason === 'api_error' ? 'client_failed' : reason };
  };
  switch (error) {
    case 'interrupted':
    case 'max_turns':
      return { kind: 'again' };
    case 'limit': {
      const delay = policy.quotaDelaysMs[0] ?? 0;
      const dueMs = until === null ? wallMs + UNKNOWN_RESET_MS : Math.max(until, wallMs) + delay;
      return { kind: 'wait', reason: 'quota', dueMs, isRetry: false };
    }
    case 'auth':
      return waitForPerson('login_needed');
    case 'billing':
      return waitForPerson('agent_error');
    case 'bad_session':
      // Twice in a row is no accident.
      return lostConversations > 0
        ? { kind: 'fail', reason: 'session_lost' }
        : { kind: 'new_conversation' };
    case 'invalid_request':
      return { kind: 'fail', reason: 'client_failed' };
    case 'not_started':
      // The daemon went down before it: retried once, at once.
      return failures > 0 ? later('agent_not_started') : { kind: 'retry' };
    case 'overloaded':
      return later('overloaded');
    case 'crashed':
    case 'unreadable':
      return later('api_error');
  }
}
