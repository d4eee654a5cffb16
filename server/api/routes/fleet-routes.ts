import type { FLEET_ENDPOINTS } from '../../../shared/endpoints/fleet-endpoints.ts';
import type { FleetView } from '../../../shared/schema/fleet.ts';
import { type FleetClaims, unknownClaim } from '../../fleet/claims.ts';
import { identityOf, type Handlers } from '../endpoint-handler.ts';

/** The hosts of the fleet and their claims; without one, none. */
export function fleetRoutes(
  fleet: { view: () => FleetView; claims: FleetClaims } | null,
): Handlers<keyof typeof FLEET_ENDPOINTS> {
  return {
    listHosts: () => ({
      status: 200,
      body: fleet?.view() ?? { self: null, hosts: [], problem: null },
    }),
    listClaims: async () => ({ status: 200, body: { claims: (await fleet?.claims.list()) ?? [] } }),
    releaseClaim: async ({ body, ...call }) => {
      if (fleet === null) throw unknownClaim();
      await fleet.claims.release(body.key, body.revision, identityOf(call).name);
      return { status: 200, body: { status: 'released' } };
    },
  };
}
