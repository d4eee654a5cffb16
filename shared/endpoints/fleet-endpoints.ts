/** The hosts that show each other's work. */
import { z } from 'zod';
import { FleetView, WorkClaim } from '../schema/fleet.ts';
import type { Endpoint } from './endpoint.ts';

export const FLEET_ENDPOINTS = {
  listHosts: {
    method: 'GET',
    path: '/api/hosts',
    summary: 'List the hosts of the fleet: this one first, then by name.',
    role: 'viewer',
    responses: { 200: FleetView },
    errors: [],
  },
  listClaims: {
    method: 'GET',
    path: '/api/fleet/claims',
    summary: 'List the claims of hosts on remote branches: on which host work on each is done.',
    role: 'viewer',
    responses: { 200: z.object({ claims: z.array(WorkClaim) }) },
    errors: ['host_unreachable'],
  },
  releaseClaim: {
    method: 'POST',
    path: '/api/fleet/claims/release',
    summary: 'Release a claim of a host that is dead; work on it stops there if it comes back.',
    role: 'admin',
    body: WorkClaim.pick({ key: true, revision: true }).strict(),
    responses: { 200: z.object({ status: z.literal('released') }) },
    errors: ['claim_unknown', 'host_reachable', 'host_unreachable'],
  },
} as const satisfies Record<string, Endpoint>;
