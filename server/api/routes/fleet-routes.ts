import type { FleetView } from '../../../shared/schema/fleet.ts';
import type { Handlers } from '../endpoint-handler.ts';

/** The hosts of the fleet; without one, none. */
export function fleetRoutes(fleet: { view: () => FleetView } | null): Handlers<'listHosts'> {
  return {
    listHosts: () => ({
      status: 200,
      body: fleet?.view() ?? { self: null, hosts: [], problem: null },
    }),
  };
}
