/**
 * The REST contract as one table: method, path, role, schemas, error codes. The server mounts its
 * routes from it, the OpenAPI document is generated from it, and clients take their types from it.
 */
import { z } from 'zod';
import { parseCursor, ResetReason } from './cursor.ts';
import type { ErrorCode } from './errors.ts';
import { EventSchema } from './events.ts';
import { DaemonStatus, Loop, Screen, Session, SessionName } from './model.ts';
import { MAX_FRAME_BYTES } from './protocol.ts';

export const Role = z.enum(['viewer', 'operator', 'admin']);
export type Role = z.infer<typeof Role>;

export interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Parameters are written `:name`. */
  path: string;
  summary: string;
  /** `null`: open to everybody who passes the Host and Origin checks. */
  role: Role | null;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  responses: Readonly<Record<number, z.ZodType>>;
  errors: readonly ErrorCode[];
}

const SessionParams = z.object({ id: SessionName });

export const CreateSession = z.strictObject({
  name: SessionName,
  cwd: z.string().min(1).max(1024),
});

export const SessionInput = z.strictObject({
  /** Control bytes other than tab and newline are removed before anything is typed. */
  text: z.string().max(MAX_FRAME_BYTES),
  /** Press Enter after the text. */
  submit: z.boolean(),
});

export const Delivery = z.enum(['delivered', 'held', 'failed', 'unknown']);
export type Delivery = z.infer<typeof Delivery>;

const MaxIterations = z.int().min(1).max(1000);
const TimeoutMinutes = z.int().min(1).max(10_080);

export const DEFAULT_MAX_ITERATIONS = 20;
export const DEFAULT_TIMEOUT_MINUTES = 30;

export const StartAuto = z.strictObject({
  /** The task directory in the main worktree, absolute. */
  taskDir: z.string().min(1).max(1024),
  maxIterations: MaxIterations.default(DEFAULT_MAX_ITERATIONS),
  timeoutMinutes: TimeoutMinutes.default(DEFAULT_TIMEOUT_MINUTES),
});
export type StartAuto = z.infer<typeof StartAuto>;

export const ChangeLimits = z
  .strictObject({
    maxIterations: MaxIterations.optional(),
    timeoutMinutes: TimeoutMinutes.optional(),
  })
  .refine((body) => body.maxIterations !== undefined || body.timeoutMinutes !== undefined, {
    message: 'name at least one of maxIterations and timeoutMinutes',
  });
export type ChangeLimits = z.infer<typeof ChangeLimits>;

export const StartedLoop = z.object({
  session_name: SessionName,
  task_dir: z.string(),
  status: Loop.shape.status,
  max_iterations: z.int(),
  timeout_minutes: z.int(),
  started_at: z.iso.datetime(),
});

const CommaList = z
  .string()
  .max(2048)
  .transform((text) => text.split(',').filter(Boolean));

const CursorText = z
  .string()
  .refine((text) => parseCursor(text) !== null, { message: 'a seq or epoch:seq' });

function queryInt(minimum: number, maximum: number) {
  return z
    .string()
    .regex(/^\d{1,6}$/)
    .transform(Number)
    .pipe(z.int().min(minimum).max(maximum));
}

const EventFilterQuery = {
  types: CommaList.optional(),
  session: CommaList.optional(),
};

export const EventsQuery = z.strictObject({
  /** Left out: from the oldest event kept. */
  after: CursorText.optional(),
  limit: queryInt(1, 1000).default(100),
  ...EventFilterQuery,
  /** Seconds to wait for the first event. */
  wait: queryInt(0, 30).default(0),
});

export const EventsPage = z.object({
  epoch: z.string(),
  head: z.int(),
  /** The cursor to send next; also advances past events that the filter left out. */
  next: z.int(),
  events: z.array(EventSchema),
  /** Present when the cursor could not be honoured: read the state again, go on from `next`. */
  reset: z.object({ reason: ResetReason, oldest: z.int(), head: z.int() }).optional(),
});
export type EventsPage = z.infer<typeof EventsPage>;

/** Left out `after` and no Last-Event-ID: live only. */
export const EventStreamQuery = z.strictObject({
  after: CursorText.optional(),
  ...EventFilterQuery,
});

const SESSION_ERRORS = ['session_unknown'] as const;

export const API = {
  health: {
    method: 'GET',
    path: '/healthz',
    summary: 'Is the daemon up?',
    role: null,
    responses: { 200: z.object({ status: z.literal('ok'), version: z.string() }) },
    errors: [],
  },
  openapi: {
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This contract as an OpenAPI 3.1 document.',
    role: 'viewer',
    responses: { 200: z.record(z.string(), z.unknown()) },
    errors: [],
  },
  asyncapi: {
    method: 'GET',
    path: '/api/asyncapi.json',
    summary: 'The WebSocket protocol as an AsyncAPI 3.0 document.',
    role: 'viewer',
    responses: { 200: z.record(z.string(), z.unknown()) },
    errors: [],
  },
  status: {
    method: 'GET',
    path: '/api/status',
    summary: 'State of the daemon: versions, event log, and what a loop would miss here.',
    role: 'viewer',
    responses: { 200: DaemonStatus },
    errors: [],
  },
  login: {
    method: 'POST',
    path: '/api/login',
    summary: 'Exchange the one-time code of a login link for a token.',
    role: null,
    body: z.strictObject({ code: z.string().min(1).max(128) }),
    responses: { 200: z.object({ token: z.string(), role: Role }) },
    errors: ['invalid_login_code', 'too_many_attempts'],
  },
  createLoginCode: {
    method: 'POST',
    path: '/api/login-codes',
    summary: 'Make a new one-time login link.',
    role: 'admin',
    responses: { 201: z.object({ link: z.url(), expires_at: z.iso.datetime() }) },
    errors: [],
  },
  createTicket: {
    method: 'POST',
    path: '/api/tickets',
    summary: 'Make a single-use ticket for one WebSocket, valid for 30 seconds.',
    role: 'viewer',
    responses: { 201: z.object({ ticket: z.string(), expires_at: z.iso.datetime() }) },
    errors: [],
  },
  createSession: {
    method: 'POST',
    path: '/api/sessions',
    summary: 'Open a terminal session in a directory.',
    role: 'operator',
    body: CreateSession,
    responses: { 201: Session },
    errors: [
      'cwd_missing',
      'outside_roots',
      'session_exists',
      'terminal_unavailable',
      'terminal_failed',
    ],
  },
  listSessions: {
    method: 'GET',
    path: '/api/sessions',
    summary: 'All sessions.',
    role: 'viewer',
    responses: { 200: z.object({ sessions: z.array(Session) }) },
    errors: [],
  },
  getSession: {
    method: 'GET',
    path: '/api/sessions/:id',
    summary: 'One session.',
    role: 'viewer',
    params: SessionParams,
    responses: { 200: Session },
    errors: SESSION_ERRORS,
  },
  deleteSession: {
    method: 'DELETE',
    path: '/api/sessions/:id',
    summary: 'End the terminal and everything in it.',
    role: 'operator',
    params: SessionParams,
    responses: { 202: z.object({ status: z.literal('closing') }) },
    errors: SESSION_ERRORS,
  },
  getScreen: {
    method: 'GET',
    path: '/api/sessions/:id/screen',
    summary: 'What the terminal shows now.',
    role: 'viewer',
    params: SessionParams,
    responses: { 200: Screen },
    errors: [...SESSION_ERRORS, 'terminal_failed'],
  },
  sendInput: {
    method: 'POST',
    path: '/api/sessions/:id/input',
    summary: 'Type text into the terminal.',
    role: 'operator',
    params: SessionParams,
    body: SessionInput,
    responses: { 202: z.object({ delivery: Delivery }) },
    errors: SESSION_ERRORS,
  },
  startAuto: {
    method: 'POST',
    path: '/api/sessions/:id/task-auto',
    summary: 'Start an auto loop on a task directory in the session.',
    role: 'operator',
    params: SessionParams,
    body: StartAuto,
    responses: { 201: StartedLoop },
    errors: [
      'unsafe_task_dir',
      'outside_roots',
      'session_unknown',
      'task_dir_missing',
      'session_busy',
      'task_dir_busy',
      'not_ready',
      'agent_not_started',
    ],
  },
  changeLimits: {
    method: 'PATCH',
    path: '/api/sessions/:id/task-auto',
    summary: 'Change the limits of a running loop.',
    role: 'operator',
    params: SessionParams,
    body: ChangeLimits,
    responses: { 200: Loop },
    errors: [...SESSION_ERRORS, 'no_loop', 'loop_not_running'],
  },
  stopAuto: {
    method: 'DELETE',
    path: '/api/sessions/:id/task-auto',
    summary: 'Ask the loop to stop; on a failed loop, remove it.',
    role: 'operator',
    params: SessionParams,
    responses: {
      200: z.object({ status: z.literal('stopped') }),
      202: z.object({ status: z.literal('stopping') }),
    },
    errors: [...SESSION_ERRORS, 'no_loop'],
  },
  getAuto: {
    method: 'GET',
    path: '/api/sessions/:id/task-auto',
    summary: 'State of the session’s loop; "stopped" and nulls without one.',
    role: 'viewer',
    params: SessionParams,
    responses: { 200: Loop },
    errors: SESSION_ERRORS,
  },
  listAuto: {
    method: 'GET',
    path: '/api/task-auto',
    summary: 'All loops.',
    role: 'viewer',
    responses: { 200: z.object({ loops: z.array(Loop) }) },
    errors: [],
  },
  lookupAuto: {
    method: 'GET',
    path: '/api/task-auto/lookup',
    summary: 'Which session runs the loop of a task directory?',
    role: 'viewer',
    query: z.strictObject({
      taskDir: z.string().max(1024).regex(/^\//, { message: 'an absolute path' }),
    }),
    responses: { 200: z.object({ session_name: SessionName, status: Loop.shape.status }) },
    errors: ['no_loop'],
  },
  startDemo: {
    method: 'POST',
    path: '/api/demo',
    summary: 'Start a loop of the stand-in agent, which needs no account and spends nothing.',
    role: 'operator',
    responses: { 201: StartedLoop },
    errors: ['task_dir_busy', 'terminal_unavailable', 'terminal_failed', 'agent_not_started'],
  },
  listEvents: {
    method: 'GET',
    path: '/api/events',
    summary: 'Events after a cursor; with `wait` a long poll.',
    role: 'viewer',
    query: EventsQuery,
    responses: { 200: EventsPage },
    errors: [],
  },
  streamEvents: {
    method: 'GET',
    path: '/api/events/stream',
    summary: 'Events after a cursor as Server-Sent Events; id = epoch:seq.',
    role: 'viewer',
    query: EventStreamQuery,
    responses: { 200: z.string() },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>;

export type ApiName = keyof typeof API;
