/** What work used and cost: sums over the ledger, and how they may be grouped. */
import { z } from 'zod';

/** Where a figure was read: the client's status line, its transcript, or the result of a turn. */
export const USAGE_SOURCES = ['status_line', 'transcript', 'result'] as const;
export const UsageSource = z.enum(USAGE_SOURCES);
export type UsageSource = z.infer<typeof UsageSource>;

export const USAGE_GROUPS = ['day', 'project', 'person', 'subject', 'model'] as const;
const UsageGroup = z.enum(USAGE_GROUPS);
export type UsageGroup = z.infer<typeof UsageGroup>;

/** A day in UTC. */
const Day = z.iso.date();

/** What is counted: everything, or the work of one project, person or subject. */
const Only = {
  project: z.string().min(1).max(4096).optional(),
  person: z.string().min(1).max(200).optional(),
  /** `kind:id`, such as `task:fix-login`. */
  subject: z.string().min(1).max(200).optional(),
};

const Range = {
  /** The first and the last day, both included. */
  since: Day.optional(),
  until: Day.optional(),
};

export const UsageQuery = z.strictObject({
  ...Range,
  ...Only,
  by: UsageGroup.default('day'),
});
export type UsageQuery = z.infer<typeof UsageQuery>;

export const UsageExportQuery = z.strictObject({
  ...Range,
  format: z.enum(['csv', 'jsonl']).default('csv'),
});
export type UsageExportQuery = z.infer<typeof UsageExportQuery>;

/** Says where a figure was read, and when its newest part was. */
const Witnessed = {
  sources: z.array(UsageSource),
  latest_at: z.iso.datetime(),
};

export const UsageFigures = z.object({
  /** Null where no tokens were read. */
  tokens: z
    .object({
      input: z.int(),
      output: z.int(),
      cache_read: z.int(),
      cache_write: z.int(),
      ...Witnessed,
    })
    .nullable(),
  /** As clients report it, in millionths of a US dollar; null where none did. */
  cost: z.object({ micro_usd: z.int(), ...Witnessed }).nullable(),
});
export type UsageFigures = z.infer<typeof UsageFigures>;

const UsageRow = UsageFigures.extend({
  /** A day, path, name, `kind:id` or model; null where it is not known. */
  key: z.string().nullable(),
});
export type UsageRow = z.infer<typeof UsageRow>;

export const UsageReport = z.object({
  as_of: z.iso.datetime(),
  since: Day.nullable(),
  until: Day.nullable(),
  by: UsageGroup,
  totals: UsageFigures,
  /** Newest day first, else the most expensive first; at most 1000. */
  rows: z.array(UsageRow),
  /** There are more rows than these. The totals include all. */
  more: z.boolean(),
});
export type UsageReport = z.infer<typeof UsageReport>;

/** The usage windows of a subscription, as clients report them. */
export const PLAN_WINDOWS = ['five_hour', 'weekly'] as const;
export type PlanWindowName = (typeof PLAN_WINDOWS)[number];

export const PlanWindow = z.object({
  used_percent: z.number(),
  resets_at: z.iso.datetime(),
  /** When the client wrote it. */
  read_at: z.iso.datetime(),
  /** The session whose client wrote it. */
  session: z.string(),
  /** The host of that session, which uses the same account; null: this one. */
  host: z.string().nullable(),
});
export type PlanWindow = z.infer<typeof PlanWindow>;

/** What the agent of a session has used for its current work: the loop, else the session. */
export const SessionUsage = z.object({
  session: z.string(),
  /** The loop counts from its start, the session from its own. */
  subject: z.enum(['loop', 'session']),
  /** As the client names it; null where it does not. */
  model: z.string().nullable(),
  /** Used share of the context, 0 to 100. */
  context_percent: z.number().nullable(),
  /** When the client wrote model and context; null where it did not. */
  read_at: z.iso.datetime().nullable(),
  ...UsageFigures.shape,
});
export type SessionUsage = z.infer<typeof SessionUsage>;

/** When a window ends if work burns as it does. */
const PlanForecast = z.object({
  percent_per_hour: z.number(),
  /** Whether the open work fits until the reset, by the interval below and what open tasks take. */
  fits: z.enum(['yes', 'maybe', 'no']),
  /** When nothing is left; null: not before the reset. */
  earliest: z.iso.datetime().nullable(),
  likely: z.iso.datetime().nullable(),
  latest: z.iso.datetime().nullable(),
  /** Past forecasts that the interval is learned from; 0: a wide one is taken. */
  learned_from: z.int(),
  /** What the open tasks will still take, in percent of the window; null where it is unknown. */
  open_tasks: z
    .object({
      count: z.int(),
      least: z.number(),
      likely: z.number(),
      most: z.number(),
      /** Completed tasks that the sizes are learned from. */
      learned_from: z.int(),
    })
    .nullable(),
});
export type PlanForecast = z.infer<typeof PlanForecast>;

export const UsageNow = z.object({
  as_of: z.iso.datetime(),
  /** Null where no client has reported it: only those with a subscription do. */
  five_hour: PlanWindow.nullable(),
  weekly: PlanWindow.nullable(),
  /** Null where no burn is known. */
  forecast: z.object({ five_hour: PlanForecast.nullable(), weekly: PlanForecast.nullable() }),
  /** Open sessions. */
  sessions: z.array(SessionUsage),
});
export type UsageNow = z.infer<typeof UsageNow>;
