/** Terminals: open, list, look at, type into, end. */
import { z } from 'zod';
import { Delivery, DeliveryReason } from '../schema/delivery.ts';
import { Leftover } from '../schema/leftover.ts';
import { Input, Screen, Session } from '../schema/model.ts';
import {
  CreateSession,
  MAX_INPUT_BYTES,
  ResizeSession,
  ScrollbackPage,
  ScrollbackQuery,
  SessionInput,
} from '../schema/requests.ts';
import { SESSION_ERRORS, SessionParams } from './session-params.ts';
import type { Endpoint } from './endpoint.ts';

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
    responses: {
      /** `left`: processes of the session that could not be ended. */
      202: z.object({ status: z.literal('closing'), left: z.array(Leftover).optional() }),
    },
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
  resizeSession: {
    method: 'POST',
    path: '/api/sessions/:id/resize',
    summary: 'Give the terminal another size.',
    role: 'operator',
    params: SessionParams,
    body: ResizeSession,
    responses: { 200: z.object({ cols: z.int(), rows: z.int() }) },
    errors: [...SESSION_ERRORS, 'terminal_failed'],
  },
  getScrollback: {
    method: 'GET',
    path: '/api/sessions/:id/scrollback',
    summary: 'Rows that scrolled off the screen; the newest when `from` is left out.',
    role: 'viewer',
    params: SessionParams,
    query: ScrollbackQuery,
    responses: { 200: ScrollbackPage },
    errors: [...SESSION_ERRORS, 'terminal_failed'],
  },
  sendInput: {
    method: 'POST',
    path: '/api/sessions/:id/input',
    summary: 'Type text into the terminal, now or as soon as the agent can take it; at most once.',
    role: 'operator',
    params: SessionParams,
    body: SessionInput,
    maxBytes: MAX_INPUT_BYTES,
    responses: {
      202: z.object({ id: z.int(), delivery: Delivery, reason: DeliveryReason.nullable() }),
    },
    errors: SESSION_ERRORS,
  },
  interruptSession: {
    method: 'POST',
    path: '/api/sessions/:id/interrupt',
    summary: 'Stop the turn of the agent that works in the terminal; it stays at its prompt.',
    role: 'operator',
    params: SessionParams,
    responses: { 202: z.object({ status: z.literal('interrupted') }) },
    errors: [...SESSION_ERRORS, 'not_ready', 'terminal_failed'],
  },
  listInputs: {
    method: 'GET',
    path: '/api/sessions/:id/inputs',
    summary: 'What is or was on its way into the terminal, newest first.',
    role: 'operator',
    params: SessionParams,
    responses: { 200: z.object({ inputs: z.array(Input) }) },
    errors: SESSION_ERRORS,
  },
  cancelInput: {
    method: 'DELETE',
    path: '/api/sessions/:id/inputs/:input',
    summary: 'Take back an input that is still held.',
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
