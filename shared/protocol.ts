/** The WebSocket protocol `loopwatch.v1`: every frame both ways, close codes, limits. No logic. */
import { z } from 'zod';
import { ResetReason } from './cursor.ts';
import { EventSchema } from './events.ts';
import { SessionName } from './session-name.ts';

export const PROTOCOL_VERSION = 1;
export const SUBPROTOCOL = 'loopwatch.v1';
export const TICKET_PREFIX = 'ticket.';

/** Bytes of one frame, and of one REST body. */
export const MAX_FRAME_BYTES = 64 * 1024;

/** 44xx: do not connect again with the same request. 1012: the daemon restarts, come back. */
export const CloseCode = {
  restart: 1012,
  badFrame: 4400,
  unsupportedProtocol: 4406,
  slowConsumer: 4008,
  noPong: 4009,
} as const;

const SubscribeFrame = z.strictObject({
  type: z.literal('subscribe'),
  id: z.int().min(0),
  types: z.array(z.string().max(64)).min(1).max(64),
  sessions: z.array(SessionName).max(256).optional(),
  after: z.int().min(0).nullable().optional(),
  epoch: z.string().max(40).optional(),
});

export const ClientFrame = z.discriminatedUnion('type', [
  SubscribeFrame,
  z.strictObject({ type: z.literal('ack'), seq: z.int().min(0) }),
  z.strictObject({ type: z.literal('watch'), session: SessionName }),
  z.strictObject({ type: z.literal('unwatch'), session: SessionName }),
  z.strictObject({ type: z.literal('ping') }),
]);
export type ClientFrame = z.infer<typeof ClientFrame>;

export const FrameError = z.enum([
  'invalid_frame',
  'unknown_type',
  'epoch_required',
  'session_unknown',
  'terminal_failed',
]);
export type FrameError = z.infer<typeof FrameError>;

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
  z.object({ type: z.literal('pong') }),
  z.object({ type: z.literal('error'), code: FrameError, message: z.string() }),
]);
export type ServerFrame = z.infer<typeof ServerFrame>;
