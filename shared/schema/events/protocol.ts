/** The WebSocket protocol `loopwatch.v1`: frames in both directions, close codes, limits. No logic. */
import { z } from 'zod';
import { PROTOCOL_VERSION } from '../../rules/wire.ts';
import { AttentionItem } from '../attention/attention.ts';
import { ResetReason } from './cursor.ts';
import { EventSchema } from './events.ts';
import { Loop } from '../model.ts';
import type { Role } from '../people/role.ts';
import { RunSummary } from '../runs/run.ts';
import { SessionName } from '../session-name.ts';
import { Subject, SubjectRef } from './subject.ts';
import { Task } from '../tasks/task.ts';
import { SessionUsage } from '../usage/usage.ts';

const SubscribeFrame = z.strictObject({
  type: z.literal('subscribe'),
  id: z.int().min(0),
  types: z.array(z.string().max(64)).min(1).max(64),
  /** Events of these sessions or about these subjects. Both omitted: all. */
  sessions: z.array(SessionName).max(256).optional(),
  subjects: z.array(SubjectRef).max(256).optional(),
  after: z.int().min(0).nullable().optional(),
  epoch: z.string().max(40).optional(),
  /** After events, also what they changed as it is now, in `views` frames. */
  views: z.boolean().optional(),
});

const Cols = z.int().min(1).max(10_000);
const Rows = z.int().min(1).max(10_000);

/** If the connection has control, the terminal takes this size, within its bounds. */
const AttachFrame = z.strictObject({
  type: z.literal('attach'),
  session: SessionName,
  cols: Cols,
  rows: Rows,
  /** Type into it, not only watch. */
  control: z.boolean().default(true),
  /** Take control from its current holder. */
  take: z.boolean().default(false),
});

export const ClientFrame = z.discriminatedUnion('type', [
  SubscribeFrame,
  z.strictObject({ type: z.literal('ack'), seq: z.int().min(0) }),
  z.strictObject({ type: z.literal('watch'), session: SessionName }),
  z.strictObject({ type: z.literal('unwatch'), session: SessionName }),
  AttachFrame,
  z.strictObject({ type: z.literal('resize'), cols: Cols, rows: Rows }),
  z.strictObject({ type: z.literal('detach') }),
  z.strictObject({ type: z.literal('ping') }),
]);
export type ClientFrame = z.infer<typeof ClientFrame>;

/** The role each frame needs. `attach` with `control` and binary frames (keys) need an operator. */
export const FRAME_ROLE: Readonly<Record<ClientFrame['type'], Role>> = {
  subscribe: 'viewer',
  ack: 'viewer',
  watch: 'viewer',
  unwatch: 'viewer',
  attach: 'viewer',
  resize: 'operator',
  detach: 'viewer',
  ping: 'viewer',
};
export const CONTROL_ROLE: Role = 'operator';

/** Whether a frame types into a terminal, as binary frames do: from another host only when allowed. */
export function isInputFrame(frame: ClientFrame): boolean {
  return frame.type === 'resize' || (frame.type === 'attach' && frame.control);
}

export const FrameError = z.enum([
  'invalid_frame',
  'unknown_type',
  'epoch_required',
  'session_unknown',
  'terminal_failed',
  'role_too_low',
  'remote_input_off',
  'not_attached',
  'not_controller',
]);
export type FrameError = z.infer<typeof FrameError>;

/** Why an attachment ended. */
export const DetachReason = z.enum([
  'requested',
  'terminal_gone',
  'terminal_replaced',
  'terminal_failed',
  'daemon_stopping',
]);
export type DetachReason = z.infer<typeof DetachReason>;

/**
 * What events changed, as it is once all events up to `seq` are known: the same as the lists of the
 * REST API have. What no longer exists is left out; its event says that it ended.
 */
const ViewsFrame = z.object({
  type: z.literal('views'),
  seq: z.int(),
  loops: z.array(Loop),
  /** Without tests and interactions. */
  tasks: z.array(Task),
  /** All tasks that wait to begin, when their order may have changed. */
  queue: z.array(Task.pick({ task_name: true, queue_position: true, wait: true })).nullable(),
  runs: z.array(RunSummary),
  /** All open items of each subject. */
  inbox: z.array(z.object({ subject: Subject, items: z.array(AttentionItem) })),
  usages: z.array(SessionUsage),
});
export type Views = z.infer<typeof ViewsFrame>;

const ScreenFrame = z.object({
  type: z.literal('screen'),
  session: SessionName,
  rev: z.int(),
  cols: z.int(),
  rows: z.int(),
  cursor: z.tuple([z.int(), z.int()]),
  /** Row number → text with SGR codes; all rows when `full`, else those that changed. */
  lines: z.record(z.string(), z.string()),
  full: z.boolean(),
});

export const ServerFrame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('welcome'),
    protocol: z.literal(PROTOCOL_VERSION),
    epoch: z.string(),
    head: z.int(),
    server: z.string(),
    /** It knows `views`; missing from older daemons. */
    views: z.boolean().optional(),
    /** `EVENT_SCHEMA` of the events that follow; missing from older daemons. */
    event_schema: z.int().optional(),
  }),
  z.object({ type: z.literal('subscribed'), id: z.int(), head: z.int() }),
  z.object({ type: z.literal('event'), event: EventSchema }),
  ViewsFrame,
  z.object({ type: z.literal('cursor'), seq: z.int() }),
  z.object({
    type: z.literal('reset'),
    id: z.int(),
    reason: ResetReason,
    oldest: z.int(),
    head: z.int(),
  }),
  ScreenFrame,
  z.object({ type: z.literal('screen_closed'), session: SessionName }),
  /** Sent before the first bytes, and before the first bytes in a new size. */
  z.object({
    type: z.literal('attached'),
    session: SessionName,
    control: z.boolean(),
    cols: z.int(),
    rows: z.int(),
  }),
  /** Who has control: sent on a change, and before `attached` to new connections. `by` null: no one. */
  z.object({
    type: z.literal('control'),
    session: SessionName,
    control: z.boolean(),
    by: z.string().nullable(),
  }),
  z.object({ type: z.literal('detached'), session: SessionName, reason: DetachReason }),
  z.object({ type: z.literal('pong') }),
  z.object({
    type: z.literal('error'),
    code: FrameError,
    message: z.string(),
    /** The unknown session, with `session_unknown`. */
    session: SessionName.optional(),
  }),
]);
export type ServerFrame = z.infer<typeof ServerFrame>;
