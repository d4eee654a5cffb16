/** Terminals: open, list, read, type into, end. */
import { z } from 'zod';
import { Delivery, DeliveryReason } from '../../schema/attention/delivery.ts';
import { Leftover } from '../../schema/leftover.ts';
import { Input, Screen, Session } from '../../schema/model.ts';
import {
  CreateSession,
  MAX_INPUT_BYTES,
  ResizeSession,
  ScrollbackPage,
  ScrollbackQuery,
  SessionInput,
} from '../../schema/requests.ts';
import { SESSION_ERRORS, SessionParams } from './session-params.ts';
import type { Endpoint } from '../endpoint.ts';

export const SESSION_ENDPOINTS = {
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
    summary: 'List sessions.',
    role: 'viewer',
    copied: '',
    responses: { 200: z.object({ sessions: z.array(Session) }) },
    errors: [],
  },
  getSession: {
    method: 'GET',
    path: '/api/sessions/:id',
    summary: 'Get a session.',
    role: 'viewer',
    params: SessionParams,
    responses: { 200: Session },
    errors: SESSION_ERRORS,
  },
  deleteSession: {
    method: 'DELETE',
    path: '/api/sessions/:id',
    summary: 'Close a session: ends its terminal and everything running in it.',
    role: 'operator',
    params: SessionParams,
    responses: {
      /** `left`: processes of the session that could not be ended. */
      202: z.object({ status: z.literal('closing'), left: z.array(Leftover).optional() }),
    },
    errors: SESSION_ERRORS,
  },
  getScreen: {
    method: 'GET',
    path: '/api/sessions/:id/screen',
    summary: 'Get the current screen.',
    role: 'viewer',
    params: SessionParams,
    responses: { 200: Screen },
    errors: [...SESSION_ERRORS, 'terminal_failed'],
  },
  resizeSession: {
    method: 'POST',
    path: '/api/sessions/:id/resize',
    summary: 'Resize the terminal.',
    role: 'operator',
    input: true,
    params: SessionParams,
    body: ResizeSession,
    responses: { 200: z.object({ cols: z.int(), rows: z.int() }) },
    errors: [...SESSION_ERRORS, 'remote_input_off', 'terminal_failed'],
  },
  getScrollback: {
    method: 'GET',
    path: '/api/sessions/:id/scrollback',
    summary: 'Get scrollback rows; the newest if `from` is omitted.',
    role: 'viewer',
    params: SessionParams,
    query: ScrollbackQuery,
    responses: { 200: ScrollbackPage },
    errors: [...SESSION_ERRORS, 'terminal_failed'],
  },
  sendInput: {
    method: 'POST',
    path: '/api/sessions/:id/input',
    summary:
      'Type text into the terminal, now or as soon as the agent accepts input; at most once.',
    role: 'operator',
    input: true,
    params: SessionParams,
    body: SessionInput,
    maxBytes: MAX_INPUT_BYTES,
    responses: {
      202: z.object({ id: z.int(), delivery: Delivery, reason: DeliveryReason.nullable() }),
    },
    errors: [...SESSION_ERRORS, 'remote_input_off'],
  },
  interruptSession: {
    method: 'POST',
    path: '/api/sessions/:id/interrupt',
    summary: 'Interrupt the agent’s current turn; it stays at its prompt.',
    role: 'operator',
    input: true,
    params: SessionParams,
    responses: { 202: z.object({ status: z.literal('interrupted') }) },
    errors: [...SESSION_ERRORS, 'remote_input_off', 'not_ready', 'terminal_failed'],
  },
  listInputs: {
    method: 'GET',
    path: '/api/sessions/:id/inputs',
    summary: 'List inputs and their delivery, newest first.',
    role: 'operator',
    params: SessionParams,
    responses: { 200: z.object({ inputs: z.array(Input) }) },
    errors: SESSION_ERRORS,
  },
  cancelInput: {
    method: 'DELETE',
    path: '/api/sessions/:id/inputs/:input',
    summary: 'Cancel an input that is still held.',
    role: 'operator',
    params: SessionParams.extend({
      input: z
        .string()
        .regex(/^\d{1,15}$/)
        .transform(Number),
    }),
    responses: { 200: Input },
    errors: [...SESSION_ERRORS, 'input_unknown', 'input_not_held'],
  },
} as const satisfies Record<string, Endpoint>;
