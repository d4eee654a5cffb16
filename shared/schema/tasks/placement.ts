/** Which host of a fleet a task is created on, and why that one. */
import { z } from 'zod';
import { HostLabel, HostName, RepositoryKey } from '../fleet.ts';
import { RootFolder } from './project.ts';

export const Placement = z.strictObject({
  /** `any`, or the name of a host. */
  host: HostName,
  /** Only hosts with all of these. */
  labels: z.array(HostLabel).max(16).default([]),
});
export type Placement = z.output<typeof Placement>;

/** Why a host cannot be chosen. */
const OBJECTIONS = [
  'not_named',
  'unreachable',
  'no_answer',
  'label_missing',
  'repository_missing',
  'no_remote',
  'tasks_elsewhere',
  'token_of_home',
] as const;
/** What a host that fits has to offer. */
const OFFERS = ['free_slots', 'queue', 'plan_left', 'here'] as const;

export const PlacementReason = z.strictObject({
  code: z.enum([...OBJECTIONS, ...OFFERS]),
  /** A label, or a number. Empty where the code says all. */
  value: z.string().max(64),
});
export type PlacementReason = z.infer<typeof PlacementReason>;

/** A host that was considered. */
export const JudgedHost = z.strictObject({
  name: HostName,
  fits: z.boolean(),
  reasons: z.array(PlacementReason).max(24),
});
export type JudgedHost = z.infer<typeof JudgedHost>;

/** The decision, as it is kept with the task. */
export const Placed = z.strictObject({
  asked: Placement,
  /** The host that decided. */
  by: HostName,
  at: z.iso.datetime(),
  host: HostName,
  /** The chosen one first. */
  hosts: z.array(JudgedHost).max(64),
});
export type Placed = z.output<typeof Placed>;

/** What the host that decided sends with the request to the chosen one. */
export const Handover = z.strictObject({
  placed: Placed,
  /** The directories of the request are its own: the chosen host has the repositories elsewhere. */
  repositories: z.array(z.strictObject({ path: RootFolder, key: RepositoryKey })).max(11),
});
export type Handover = z.output<typeof Handover>;
