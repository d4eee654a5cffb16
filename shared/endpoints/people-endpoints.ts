/** Login codes, tokens and tickets. */
import { z } from 'zod';
import { Role } from '../requests.ts';
import type { Endpoint } from './endpoint.ts';

export const PEOPLE_ENDPOINTS = {
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
} as const satisfies Record<string, Endpoint>;
