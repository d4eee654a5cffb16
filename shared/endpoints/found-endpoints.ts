/** Sessions that were not started by Loopwatch: list and read. */
import { z } from 'zod';
import { FoundId, FoundSession, FoundSessions } from '../schema/found.ts';
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
} as const satisfies Record<string, Endpoint>;
