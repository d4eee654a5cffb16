/**
 * Every event type with the schema of its data. An event is an immutable fact; the same record
 * appears on WebSocket, SSE, long poll and in the log.
 */
import { z } from 'zod';
import { AgentState } from './agent-state.ts';
import { AttentionOutcome } from './attention.ts';
import { SignalCheckpoint, SignalNext, SignalResult, SignalStep } from './auto-signal.ts';
import { Delivery, DeliveryReason, InputSource } from './delivery.ts';
import { Evidence } from './evidence.ts';
import { Author, PEOPLE_EVENTS } from './people-events.ts';
import { Reason } from './reasons.ts';

const Iteration = z.int().min(0);
const Milliseconds = z.number().min(0);

export const Owner = z.enum(['auto']);
export type Owner = z.infer<typeof Owner>;

/** Where a session's terminal lives: in a tmux server of its own, or inside the daemon. */
export const TerminalKind = z.enum(['tmux', 'pty']);

/** Who asked: a person (through the API) or the daemon itself (a limit, a missing directory). */
export const Actor = z.enum(['person', 'daemon']);
export type Actor = z.infer<typeof Actor>;

export const SessionClosedReason = z.enum([
  'user_closed',
  'terminal_lost',
  'requested',
  'start_failed',
]);
export type SessionClosedReason = z.infer<typeof SessionClosedReason>;

export const SignalRejection = z.enum([
  'not_a_file',
  'too_large',
  'not_utf8',
  'not_json',
  'invalid_field',
  'stale',
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
});

/** What a recovery is for: a loop that stands still, a request given up, a quota that is back. */
export const RecoveryCause = z.enum(['stall', 'api_error', 'quota']);
export type RecoveryCause = z.infer<typeof RecoveryCause>;

export const RecoveryFailure = z.enum([
  /** Nothing on the screen asks for anything that may be answered. */
  'no_prompt',
  'hung_stream',
  /** What the agent shows is not understood: nothing is typed. */
  'not_understood',
  /** Answering is switched off, or what is asked may destroy or is not surely harmless. */
  'off',
  'destructive',
  'not_safe',
  'not_delivered',
  /** It was typed and nothing followed. */
  'no_progress',
]);
export type RecoveryFailure = z.infer<typeof RecoveryFailure>;

/** How a wait for quota came to its end. */
export const QuotaEnd = z.enum(['by_itself', 'nudged', 'stopped', 'agent_gone']);
export type QuotaEnd = z.infer<typeof QuotaEnd>;

/** One attempt to tell somebody of an event. */
const AlertAttempt = z.object({
  rule: z.string(),
  name: z.string(),
  delivery: z.string(),
  /** What it told of. */
  seq: z.int(),
  type: z.string(),
  attempt: z.int().min(1),
  /** The HTTP status or the exit code; null when there was none. */
  status: z.int().nullable(),
});

const EVENT_DATA = {
  'daemon.started': z.object({
    version: z.string(),
    pid: z.int(),
    /** The first start on a database that was restored from a backup. */
    restored: z.boolean().optional(),
  }),
  'daemon.stopping': z.object({}),
  'session.created': z.object({
    cwd: z.string(),
    terminal: TerminalKind,
    reopened: z.boolean(),
    author: Author,
  }),
  'session.closed': z.object({ reason: SessionClosedReason, author: Author }),
  'session.agent_changed': z.object({ agent: AgentState.nullable() }),
  'session.input': z.object({
    id: z.int(),
    delivery: Delivery,
    source: InputSource,
    reason: DeliveryReason.nullable(),
    /** Who wrote it. */
    author: Author,
  }),
  /** Somebody stopped the turn of its agent; by role or name. */
  'session.interrupted': z.object({ by: z.string() }),
  'session.owner_changed': z.object({ owner: Owner.nullable() }),
  'auto.started': z.object({
    run_id: z.string(),
    task_dir: z.string(),
    max_iterations: z.int(),
    timeout_minutes: z.int(),
    agent: z.enum(['claude', 'stand-in']),
    author: Author,
  }),
  'auto.signal': z.object({
    step: SignalStep,
    result: SignalResult,
    next: SignalNext,
    checkpoint: SignalCheckpoint,
    iteration: Iteration,
    /** True when the routing table does not know this combination. */
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
    /** Equal pictures in a row, and for how long. */
    captures: z.int(),
    still_seconds: z.number().min(0),
    evidence: z.array(Evidence),
  }),
  'auto.recovery_tried': z.object({
    cause: RecoveryCause,
    /** What is typed; empty for Enter alone. */
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
    /** When it is expected to be over, if anybody said so. */
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
  'auto.failed': Summary,
  'auto.ended': Summary,
  'attention.raised': z.object({
    id: z.string(),
    reason: Reason,
    title: z.string(),
    answerable: z.boolean(),
  }),
  'attention.cleared': z.object({
    id: z.string(),
    reason: Reason,
    outcome: AttentionOutcome,
    /** The name of who answered or dismissed it. */
    by: z.string().nullable(),
    answer: z.string().nullable(),
  }),
  ...PEOPLE_EVENTS,
  'alert.sent': AlertAttempt,
  'alert.failed': AlertAttempt.extend({
    error: z.string(),
    /** Null: given up. */
    next_try_at: z.iso.datetime().nullable(),
  }),
} as const;

/** Wire names kept for parts that are not in this build; a filter may name them already. */
const RESERVED_TYPES = [
  'respawn.state',
  'respawn.blocked',
  'respawn.step_sent',
  'respawn.step_done',
  'respawn.check',
  'respawn.auto_accepted',
  'respawn.cycle_done',
  'task.created',
  'task.status',
  'task.interaction',
  'task.input_queued',
  'task.input_delivered',
  'task.criteria',
  'task.tests',
  'run.phase',
  'run.checkpoint',
  'run.stopped',
  'run.resumed',
  'run.done',
] as const;

export type EventType = keyof typeof EVENT_DATA;
export type EventData<Type extends EventType> = z.infer<(typeof EVENT_DATA)[Type]>;

/** What a component hands to the log; the log adds `seq` and `at`. */
export type EventDraft = {
  [Type in EventType]: { type: Type; session?: string; data: EventData<Type> };
}[EventType];

export type EventRecord = EventDraft & { seq: number; at: string };

export const EVENT_TYPES = Object.keys(EVENT_DATA) as EventType[];

const EVENT_SCHEMAS = EVENT_TYPES.map((type) =>
  z.object({
    seq: z.int().min(1),
    at: z.iso.datetime(),
    type: z.literal(type),
    session: z.string().optional(),
    data: EVENT_DATA[type],
  }),
);

/** The schema of one event as it travels; `data` depends on `type`. */
export const EventSchema = z.union(EVENT_SCHEMAS);

/** Takes an event type; gives the schema of its data. */
export function eventDataSchema(type: EventType): z.ZodType {
  return EVENT_DATA[type];
}

const FILTERABLE: readonly string[] = [...EVENT_TYPES, ...RESERVED_TYPES];

/** Takes a filter word; tells whether it is `*`, a known type, or `prefix.*` of one. */
export function isTypePattern(pattern: string): boolean {
  if (pattern === '*') return true;
  if (!pattern.endsWith('.*')) return FILTERABLE.includes(pattern);
  const prefix = pattern.slice(0, -1);
  return FILTERABLE.some((type) => type.startsWith(prefix) && prefix.length > 1);
}
