/** What clients read: sessions, loops, screens and the state of the daemon. */
import { z } from 'zod';
import { AgentKind } from './agents/agent-kind.ts';
import { AgentState } from './agents/agent-state.ts';
import { LoopPermissions } from './loops/loop-permissions.ts';
import { SignalCheckpoint, SignalNext, SignalResult, SignalStep } from './loops/auto-signal.ts';
import { Delivery, DeliveryReason, InputSource } from './attention/delivery.ts';
import { TerminalKind } from './events/events.ts';
import { Evidence } from './events/evidence.ts';
import { Owner } from './owner.ts';
import { Reason } from './reasons.ts';
import { SessionName } from './session-name.ts';
import { TransportName } from './transport-name.ts';

export const Session = z.object({
  name: SessionName,
  cwd: z.string(),
  terminal: TerminalKind,
  status: z.enum(['opening', 'open', 'closing']),
  owner: Owner.nullable(),
  /** Null when no agent is in the foreground. */
  agent: AgentState.nullable(),
  created_at: z.iso.datetime(),
});
export type Session = z.infer<typeof Session>;

export const LoopStatus = z.enum([
  'starting',
  'running',
  'stopping',
  'quota_wait',
  'restart_wait',
  'failed',
  'stopped',
]);
export type LoopStatus = z.infer<typeof LoopStatus>;

/** Every wait has a reason, a start, an end if known, and what happens then. */
export const Wait = z.object({
  reason: Reason,
  since: z.iso.datetime(),
  until: z.iso.datetime().nullable(),
  next: z.string(),
  evidence: z.array(Evidence),
});
export type Wait = z.infer<typeof Wait>;

export const Loop = z.object({
  session_name: SessionName,
  status: LoopStatus,
  /** Null without a loop, or when it is not known. */
  status_since: z.iso.datetime().nullable(),
  task_dir: z.string().nullable(),
  agent: AgentKind.nullable(),
  iteration: z.int().nullable(),
  max_iterations: z.int().nullable(),
  elapsed_seconds: z.number().nullable(),
  timeout_seconds: z.number().nullable(),
  timeout_minutes: z.int().nullable(),
  /** Null where Loopwatch sets none: another agent, or one that was already open. */
  permissions: LoopPermissions.nullable(),
  quota_wait_seconds: z.number().nullable(),
  step: SignalStep.nullable(),
  result: SignalResult.nullable(),
  next: SignalNext.nullable(),
  checkpoint: SignalCheckpoint.nullable(),
  started_at: z.iso.datetime().nullable(),
  /** The names of the people who started it and asked it to stop. */
  started_by: z.string().nullable().optional(),
  stop_by: z.string().nullable().optional(),
  last_signal_at: z.iso.datetime().nullable(),
  restart_count: z.int().nullable(),
  recovery_count_step: z.int().nullable(),
  recovery_count_total: z.int().nullable(),
  stop_reason: Reason.nullable(),
  /** What a stop or a failure rests on. */
  stop_evidence: z.array(Evidence),
  error: z.string().nullable(),
  wait: Wait.nullable(),
});
export type Loop = z.infer<typeof Loop>;

/** Text sent to a terminal, delivered or not. */
export const Input = z.object({
  id: z.int(),
  session: SessionName,
  text: z.string(),
  /** Press Enter after the text. */
  submit: z.boolean(),
  source: InputSource,
  /** Null when the daemon wrote it, or the author is not recorded. */
  author: z.string().nullable(),
  delivery: Delivery,
  reason: DeliveryReason.nullable(),
  created_at: z.iso.datetime(),
  changed_at: z.iso.datetime(),
});
export type Input = z.infer<typeof Input>;

/** A snapshot of a terminal: text with colour codes (SGR only), one string per row. */
export const Screen = z.object({
  session: SessionName,
  cols: z.int(),
  rows: z.int(),
  /** Row and column of the cursor, from 0. */
  cursor: z.tuple([z.int(), z.int()]),
  lines: z.array(z.string()),
  at: z.iso.datetime(),
});
export type Screen = z.infer<typeof Screen>;

/** One requirement of a loop, whether it is met, and how to meet it. */
export const PreflightCheck = z.object({
  name: z.enum([
    'agent',
    'client',
    'command',
    'login',
    'tmux',
    'git',
    'disk',
    'inotify',
    'service',
    'check_in',
  ]),
  ok: z.boolean(),
  detail: z.string(),
  fix: z.string().nullable(),
});
export type PreflightCheck = z.infer<typeof PreflightCheck>;

export const DaemonStatus = z.object({
  version: z.string(),
  pid: z.int(),
  started_at: z.iso.datetime(),
  /** Of the daemon's own process: memory in use, CPU time since its start. */
  memory_bytes: z.int(),
  cpu_seconds: z.number(),
  epoch: z.string(),
  head: z.int(),
  home: z.string(),
  roots: z.array(z.string()),
  /**
   * What a start types at a shell, with `{taskDir}` for the directory, `{permissionMode}` for the
   * agent's mode and `RUN` for the run's id.
   */
  start_command: z.string(),
  /** Of loops that name none; null where the agent takes none. */
  loop_permissions: LoopPermissions.nullable(),
  terminal: TerminalKind,
  /** The network engine in use. */
  transport: TransportName,
  retention: z.object({
    days: z.number(),
    max_events: z.int(),
    events: z.int(),
    oldest: z.int(),
    disk_bytes: z.int(),
  }),
  /** Stored snapshots. */
  screens: z.object({
    /** Per session; 0: none are stored. */
    limit: z.int(),
    /** Of all sessions. */
    bytes: z.int(),
    /** Snapshots lost since the daemon started, because the disk was slow or full. */
    lost: z.int(),
  }),
  preflight: z.array(PreflightCheck),
});
export type DaemonStatus = z.infer<typeof DaemonStatus>;
