/** Hosts that show each other's work. */
import { z } from 'zod';

/** In addresses of the page and in the shell: `build-1`. It does not change. */
export const HostName = z
  .string()
  .max(32)
  .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, {
    message: 'must be at most 32 lower-case letters, digits and hyphens',
  });

export const HostLabel = z
  .string()
  .max(32)
  .regex(/^[\w.-]+$/, { message: 'must be letters, digits, dots, hyphens and underscores' });

/** What a host says of itself. */
export const HostFacts = z.object({
  id: z.string().max(40),
  name: HostName,
  /** Of the daemon: differs after each start. */
  instance: z.string().max(40),
  version: z.string().max(40),
  started_at: z.iso.datetime(),
  labels: z.array(HostLabel).max(32),
  /** Epoch and newest seq of its event log. */
  epoch: z.string().max(40),
  head: z.int(),
  /** Tasks it could begin now. */
  free_slots: z.int().min(0),
});
export type HostFacts = z.infer<typeof HostFacts>;

export const Host = HostFacts.omit({ instance: true, head: true, epoch: true }).extend({
  state: z.enum(['here', 'reachable', 'unreachable']),
  /** When it was last heard of. Null: of this one, and of one heard of just now. */
  last_seen_at: z.iso.datetime().nullable(),
});
export type Host = z.infer<typeof Host>;

/** Why a host takes no part although its settings say so. */
export const FleetProblem = z.enum(['disconnected', 'duplicate_host_id', 'not_allowed']);
export type FleetProblem = z.infer<typeof FleetProblem>;

export const FleetView = z.object({
  /** Null: this host is alone. */
  self: Host.nullable(),
  /** This one first, then by name. */
  hosts: z.array(Host),
  /** Null while all is well. */
  problem: z
    .object({ code: FleetProblem, since: z.iso.datetime(), message: z.string() })
    .nullable(),
});
export type FleetView = z.infer<typeof FleetView>;

/** What a host notices of its fleet. */
export const FLEET_EVENTS = {
  'fleet.connected': z.object({}),
  'fleet.disconnected': z.object({ message: z.string() }),
  /** Nothing was heard of that host since. */
  'fleet.host_lost': z.object({ host: z.string(), name: HostName, since: z.iso.datetime() }),
  'fleet.host_found': z.object({ host: z.string(), name: HostName }),
} as const;
