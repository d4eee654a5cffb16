/** The hosts that show each other's work. */
import { FleetView } from '../schema/fleet.ts';
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
} as const satisfies Record<string, Endpoint>;
