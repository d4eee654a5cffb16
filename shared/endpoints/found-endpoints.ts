/** Sessions that were not started by Loopwatch: list and read. */
import { z } from 'zod';
import { FoundId, FoundScreen, FoundSession, FoundSessions } from '../schema/found.ts';
import type { Endpoint } from './endpoint.ts';

export const FOUND_ENDPOINTS = {
  listFound: {
    method: 'GET',
    path: '/api/found',
    summary: 'List agent sessions on this machine that Loopwatch did not start, oldest first.',
    role: 'viewer',
    responses: { 200: FoundSessions },
    errors: [],
  },
  getFound: {
    method: 'GET',
    path: '/api/found/:id',
    summary: 'Get one of them.',
    role: 'viewer',
    params: z.object({ id: FoundId }),
    unknown: 'found_unknown',
    responses: { 200: FoundSession },
    errors: ['found_unknown'],
  },
  getFoundScreen: {
    method: 'GET',
    path: '/api/found/:id/screen',
    summary: 'Get what its pane of the user’s tmux shows now; read once, with nothing attached.',
    role: 'operator',
    params: z.object({ id: FoundId }),
    unknown: 'found_unknown',
    responses: { 200: FoundScreen },
    errors: ['found_unknown', 'screen_unavailable'],
  },
} as const satisfies Record<string, Endpoint>;
