/** What is kept of the plan's windows for people. */
import { Reserve, ReservePolicy } from '../schema/usage/reserve.ts';
import type { Endpoint } from './endpoint.ts';

export const RESERVE_ENDPOINTS = {
  getReserve: {
    method: 'GET',
    path: '/api/reserve',
    summary: 'Get what is kept of the plan’s windows for people, and the work that waits for it.',
    role: 'viewer',
    responses: { 200: Reserve },
    errors: [],
  },
  setReserve: {
    method: 'PUT',
    path: '/api/reserve',
    summary: 'Set what is kept of the plan’s windows for people.',
    role: 'operator',
    body: ReservePolicy,
    responses: { 200: Reserve },
    errors: [],
  },
  removeReserve: {
    method: 'DELETE',
    path: '/api/reserve',
    summary: 'Keep nothing any more; the work that waits for it continues.',
    role: 'operator',
    responses: { 200: Reserve },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>;
