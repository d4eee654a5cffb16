/** The share of the plan's windows that is kept for people, and the line for everything else. */
import { z } from 'zod';
import { Author } from '../people/people-events.ts';
import { PLAN_WINDOWS } from './usage.ts';

const Percent = z.number().min(0).max(100);

/** Hours of some weekdays in which a share of each window is kept for people. */
export const ReserveHours = z.strictObject({
  /** 1 is Monday, 7 is Sunday. */
  days: z.array(z.int().min(1).max(7)).min(1).max(7),
  /** Full hours of the zone: from 8 to 18 ends at 18:00. */
  from: z.int().min(0).max(23),
  to: z.int().min(1).max(24),
  five_hour: Percent,
  weekly: Percent,
});
export type ReserveHours = z.infer<typeof ReserveHours>;

/** What work does while nothing recent is known of a window. */
export const UNKNOWN_WINDOW = ['dispatch', 'one_by_one', 'wait'] as const;

export const ReservePolicy = z.strictObject({
  /** Nothing new is dispatched once this much of a window is used; 100 for no line. */
  line: z.strictObject({ five_hour: Percent, weekly: Percent }),
  /** Of overlapping hours the greater share counts. */
  hours: z
    .array(
      ReserveHours.refine(({ from, to }) => from < to, {
        message: 'must end after it begins; split hours at midnight',
      }),
    )
    .max(50),
  /** An IANA time zone, such as Europe/Berlin. */
  zone: z.string().min(1).max(64).refine(isZone, { message: 'must be an IANA time zone' }),
  unknown: z.enum(UNKNOWN_WINDOW).default('dispatch'),
  /** A reading older than this says no more than the least that is used. */
  stale_minutes: z.int().min(1).max(1440).default(30),
  /** The most that one dispatch is expected to use, in percent of each window. */
  dispatch_percent: z
    .strictObject({ five_hour: Percent, weekly: Percent })
    .default({ five_hour: 2, weekly: 0.5 }),
});
export type ReservePolicy = z.infer<typeof ReservePolicy>;

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

const ReserveWindow = z.object({
  window: z.enum(PLAN_WINDOWS),
  /** The newest reading; null where none is known since the last reset. */
  used_percent: z.number().nullable(),
  read_at: z.iso.datetime().nullable(),
  /** Kept for people now, and the share above which nothing is dispatched. */
  kept_percent: z.number(),
  limit_percent: z.number(),
  /** Dispatches that the reading does not include in full. */
  not_included: z.int(),
  /** `unknown`: no reading, or one that is too old. */
  state: z.enum(['open', 'shared', 'spent', 'unknown']),
});
export type ReserveWindow = z.infer<typeof ReserveWindow>;

export const Reserve = z.object({
  /** Null: nothing is kept. */
  policy: ReservePolicy.nullable(),
  /** Who changed it last, and when. */
  author: z.string().nullable(),
  changed_at: z.iso.datetime().nullable(),
  windows: z.array(ReserveWindow),
  /** What would hold the next dispatch, and until when; null while it may begin. */
  hold: z.object({ text: z.string(), until: z.iso.datetime().nullable() }).nullable(),
  /** Subjects that wait, such as `task:fix-login`. */
  holding: z.array(z.string()),
});
export type Reserve = z.infer<typeof Reserve>;

export const RESERVE_EVENTS = {
  'reserve.set': z.object({ policy: ReservePolicy, author: Author }),
  'reserve.removed': z.object({ author: Author }),
} as const;
