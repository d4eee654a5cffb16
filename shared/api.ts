/**
 * The REST contract as one table: method, path, role, schemas, error codes. The server mounts its
 * routes from it, the OpenAPI document is generated from it, and clients take their types from it.
 */
import { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import { DaemonStatus, Loop, Screen, Session, SessionName } from './model.ts';
import {
  ChangeLimits,
  CreateSession,
  Delivery,
  EventsPage,
  EventsQuery,
  EventStreamQuery,
  Role,
  SessionInput,
  StartAuto,
  StartedLoop,
} from './requests.ts';

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
