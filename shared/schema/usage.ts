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

const Range = {
  /** The first and the last day, both included. */
  since: Day.optional(),
  until: Day.optional(),
};

export const UsageQuery = z.strictObject({ ...Range, by: UsageGroup.default('day') });
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
