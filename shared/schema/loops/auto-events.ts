/** The events of an auto loop. */
import { z } from 'zod';
import { AgentKind } from '../agents/agent-kind.ts';
import { LoopPermissions } from './loop-permissions.ts';
import { SignalCheckpoint, SignalNext, SignalResult, SignalStep } from './auto-signal.ts';
import { Evidence } from '../events/evidence.ts';
import { LoopChecked, Unproven } from './loop-check.ts';
import { Author } from '../people/people-events.ts';
import { Reason } from '../reasons.ts';

const Iteration = z.int().min(0);
const Milliseconds = z.number().min(0);

/**
 * A person (through the API), the daemon itself (a limit, a missing directory), or a stop file that
 * the daemon did not write: nothing says who did.
 */
export const Actor = z.enum(['person', 'daemon', 'file']);
export type Actor = z.infer<typeof Actor>;

export const SignalRejection = z.enum([
  'not_a_file',
  'too_large',
  'not_utf8',
  'not_json',
  'invalid_field',
  'stale',
  'other_run',
  'foreign_owner',
  'hard_link',
  'unreadable',
]);
export type SignalRejection = z.infer<typeof SignalRejection>;

export const StopStep = z.enum(['interrupt', 'kill']);
export type StopStep = z.infer<typeof StopStep>;

const Summary = z.object({
  task_dir: z.string(),
  reason: Reason,
  iteration: Iteration,
  elapsed_seconds: z.number().min(0),
  quota_wait_seconds: z.number().min(0),
  restart_count: z.int().min(0),
  recovery_count: z.int().min(0),
  error: z.string().nullable(),
  evidence: z.array(Evidence),
  /** Set when the loop ended as completed, and the host did not see it confirmed. */
  unproven: Unproven.optional(),
});

/** What a recovery is for: a stall, a request the client stopped retrying, a quota that is back. */
export const RecoveryCause = z.enum(['stall', 'api_error', 'quota']);
export type RecoveryCause = z.infer<typeof RecoveryCause>;

export const RecoveryFailure = z.enum([
  /** The screen shows no prompt that may be answered. */
  'no_prompt',
  'hung_stream',
  /** The screen could not be interpreted: nothing is typed. */
  'not_understood',
  /** Answering is off, or the request may be destructive or is not known to be safe. */
  'off',
  'destructive',
  'not_safe',
  'not_delivered',
  /** It was typed and nothing followed. */
  'no_progress',
]);
export type RecoveryFailure = z.infer<typeof RecoveryFailure>;

/** How a wait for quota ended. */
export const QuotaEnd = z.enum(['by_itself', 'nudged', 'stopped', 'agent_gone']);
export type QuotaEnd = z.infer<typeof QuotaEnd>;

export const AUTO_EVENTS = {
  'auto.started': z.object({
    run_id: z.string(),
    task_dir: z.string(),
    max_iterations: z.int(),
    timeout_minutes: z.int(),
    agent: AgentKind,
    /** Null where Loopwatch sets none; absent in events from before they could be chosen. */
    permissions: LoopPermissions.nullable().optional(),
    author: Author,
    /** It began before this log, which came with another database: what its row knew then. */
    adopted: z
      .object({
        started_at: z.iso.datetime(),
        iteration: Iteration,
        /** Since when it waited for a quota; null when it did not. */
        quota_since: z.string().nullable(),
      })
      .optional(),
  }),
  'auto.signal': z.object({
    step: SignalStep,
    result: SignalResult,
    next: SignalNext,
    checkpoint: SignalCheckpoint,
    iteration: Iteration,
    /** True when the routing table does not contain this combination. */
    suspicious: z.boolean(),
    /** True when the agent reported a lower iteration than before; the count never goes back. */
    out_of_order: z.boolean(),
    timestamp: z.string(),
  }),
  'auto.signal_rejected': z.object({ cause: SignalRejection, detail: z.string() }),
  'auto.limits_changed': z.object({
    max_iterations: z.int(),
    timeout_minutes: z.int(),
    author: Author,
  }),
  'auto.stall_suspected': z.object({
    /** Identical snapshots in a row, and for how long. */
    captures: z.int(),
    still_seconds: z.number().min(0),
    evidence: z.array(Evidence),
  }),
  'auto.recovery_tried': z.object({
    cause: RecoveryCause,
    /** The text to type; empty for Enter alone. */
    answer: z.string(),
    recovery_count_step: z.int().min(0),
    recovery_count_total: z.int().min(0),
    evidence: z.array(Evidence),
  }),
  'auto.recovered': z.object({ cause: RecoveryCause, after_seconds: z.number().min(0) }),
  'auto.recovery_failed': z.object({
    cause: RecoveryCause,
    failure: RecoveryFailure,
    recovery_count_step: z.int().min(0),
    recovery_count_total: z.int().min(0),
    evidence: z.array(Evidence),
  }),
  'auto.quota_entered': z.object({
    /** The expected end, if reported. */
    until: z.iso.datetime().nullable(),
    evidence: z.array(Evidence),
  }),
  'auto.quota_left': z.object({
    how: QuotaEnd,
    waited_seconds: z.number().min(0),
    nudges: z.int().min(0),
  }),
  'auto.stop_requested': z.object({
    reason: Reason,
    by: Actor,
    evidence: z.array(Evidence),
    author: Author,
  }),
  'auto.stop_escalated': z.object({
    step: StopStep,
    reason: Reason,
    evidence: z.array(Evidence),
  }),
  'auto.restart_scheduled': z.object({
    reason: Reason,
    restart_count: z.int(),
    delay_ms: Milliseconds,
    evidence: z.array(Evidence),
  }),
  'auto.restarted': z.object({ restart_count: z.int() }),
  'auto.check_started': z.object({ commands: z.array(z.string()) }),
  'auto.checked': LoopChecked,
  'auto.sent_back': z.object({ times: z.int().min(1), evidence: z.array(Evidence) }),
  'auto.failed': Summary,
  'auto.ended': Summary,
} as const;
