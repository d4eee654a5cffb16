/** Terminals: open, list, look at, type into, end. */
import { z } from 'zod';
import { Screen, Session } from '../model.ts';
import {
  CreateSession,
  ResizeSession,
  ScrollbackPage,
  ScrollbackQuery,
  SessionInput,
} from '../requests.ts';
import { Delivery } from '../delivery.ts';
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
    summary: 'Type text into the terminal.',
    role: 'operator',
    params: SessionParams,
    body: SessionInput,
    responses: { 202: z.object({ delivery: Delivery }) },
    errors: SESSION_ERRORS,
  },
} as const satisfies Record<string, Endpoint>;
