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

/** Of a repository that several hosts may have: made of the address of its remote. */
export const RepositoryKey = z.string().regex(/^[0-9a-f]{32}$/);

const Reading = z.object({
  used_percent: z.number(),
  resets_at: z.iso.datetime(),
  read_at: z.iso.datetime(),
  session: z.string().max(200),
});
const Amount = z.number().min(0);
export const DAYS_SHARED = 35;
/** One each day, the newest first. */
const Amounts = z.array(Amount).max(DAYS_SHARED);

/** What a host says of its account: hosts with the same one use up the same plan. */
export const PlanShare = z.object({
  /** Of the client's login, hashed. */
  account: z.string().max(64),
  /** Read by its own clients. */
  windows: z.object({ five_hour: Reading.nullable(), weekly: Reading.nullable() }),
  /** Work that may use the plan at this moment. */
  at_work: z.int().min(0),
  /** Since midnight UTC, in millionths of a US dollar, output tokens and milliseconds at work. */
  used: z.object({ day: z.iso.date(), cost: Amount, tokens: Amount, minutes: Amount }),
  /** The same and the days before, by person; '' for all who are not named. An older version says none. */
  people: z
    .array(
      z.object({ person: z.string().max(200), cost: Amounts, tokens: Amounts, minutes: Amounts }),
    )
    .max(100)
    .default([]),
});
export type PlanShare = z.infer<typeof PlanShare>;

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
  /** `EVENT_SCHEMA` of its events. An older version says none of the following. */
  event_schema: z.int().default(0),
  /** Tasks and runs that wait for a slot. */
  queue_length: z.int().min(0).default(0),
  /** Percent of the plan's fuller window that are left; null when not known. */
  plan_left: z.number().min(0).max(100).nullable().default(null),
  /** Null: its account is not known. */
  plan: PlanShare.nullable().default(null),
  /** Its repositories with a remote. */
  repositories: z.array(RepositoryKey).max(250).default([]),
});
export type HostFacts = z.infer<typeof HostFacts>;

export const Host = HostFacts.omit({
  instance: true,
  head: true,
  epoch: true,
  plan: true,
  repositories: true,
}).extend({
  state: z.enum(['here', 'reachable', 'unreachable']),
  /** When it was last heard of. Null: of this one, and of one heard of just now. */
  last_seen_at: z.iso.datetime().nullable(),
});
export type Host = z.infer<typeof Host>;

/** Why a host takes no part although its settings say so. */
export const FleetProblem = z.enum([
  'disconnected',
  'duplicate_host_id',
  'not_allowed',
  'no_majority',
]);
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

/** Work on one remote branch, which one host at a time may do. */
export const WorkClaim = z.object({
  key: z.string().max(200),
  host: z.string(),
  /** Of the host, or its id while nothing was heard of it. */
  name: z.string(),
  state: Host.shape.state,
  work: z.string(),
  /** Differs after every change of holder. */
  revision: z.int(),
});
export type WorkClaim = z.infer<typeof WorkClaim>;

/** What a host notices of its fleet. */
export const FLEET_EVENTS = {
  'fleet.connected': z.object({}),
  'fleet.disconnected': z.object({ message: z.string() }),
  /** Nothing was heard of that host since. */
  'fleet.host_lost': z.object({ host: z.string(), name: HostName, since: z.iso.datetime() }),
  'fleet.host_found': z.object({ host: z.string(), name: HostName }),
  /** The claim of a task or a run is no longer ours: it was stopped. `holder`: who has it now. */
  'claim.lost': z.object({
    task: z.string().optional(),
    run: z.string().optional(),
    holder: z.string().nullable(),
  }),
  /** A person said that its host is dead. */
  'claim.released': z.object({ host: z.string(), work: z.string(), author: z.string() }),
} as const;
