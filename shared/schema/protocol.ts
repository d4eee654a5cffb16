/** The WebSocket protocol `loopwatch.v1`: every frame both ways, close codes, limits. No logic. */
import { z } from 'zod';
import { PROTOCOL_VERSION } from '../rules/wire.ts';
import { ResetReason } from './cursor.ts';
import { EventSchema } from './events.ts';
import type { Role } from './people/role.ts';
import { SessionName } from './session-name.ts';
import { SubjectRef } from './subject.ts';

const SubscribeFrame = z.strictObject({
  type: z.literal('subscribe'),
  id: z.int().min(0),
  types: z.array(z.string().max(64)).min(1).max(64),
  /** Events of one of these sessions or about one of these subjects. Both left out: all. */
  sessions: z.array(SessionName).max(256).optional(),
  subjects: z.array(SubjectRef).max(256).optional(),
  after: z.int().min(0).nullable().optional(),
  epoch: z.string().max(40).optional(),
});

const Cols = z.int().min(1).max(10_000);
const Rows = z.int().min(1).max(10_000);

/** The terminal takes this size, inside its bounds, if the connection controls it. */
const AttachFrame = z.strictObject({
  type: z.literal('attach'),
  session: SessionName,
  cols: Cols,
  rows: Rows,
  /** Type into it, and not only look on. */
  control: z.boolean().default(true),
  /** Take the control from whoever has it. */
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

/** Whom the daemon listens to. `attach` with `control` asks to type, as do binary frames: keys. */
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

export const FrameError = z.enum([
  'invalid_frame',
  'unknown_type',
  'epoch_required',
  'session_unknown',
  'terminal_failed',
  'role_too_low',
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
  }),
  z.object({ type: z.literal('subscribed'), id: z.int(), head: z.int() }),
  z.object({ type: z.literal('event'), event: EventSchema }),
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
  /** Comes before the first bytes, and before those in a new size. */
  z.object({
    type: z.literal('attached'),
    session: SessionName,
    control: z.boolean(),
    cols: z.int(),
    rows: z.int(),
  }),
  /** Who types: on a change, and before `attached` for one who comes later. `by` null: nobody. */
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
    /** The one it is about, with `session_unknown`. */
    session: SessionName.optional(),
  }),
]);
export type ServerFrame = z.infer<typeof ServerFrame>;
