/** REST bodies, queries and small answers that are not part of the model. */
import { z } from 'zod';
import {
  DEFAULT_MAX_ITERATIONS,
  DEFAULT_TIMEOUT_MINUTES,
  MAX_ITERATIONS,
  MAX_TIMEOUT_MINUTES,
} from '../rules/loops/loop-limits.ts';
import { parseCursor, ResetReason } from './events/cursor.ts';
import { InputTarget } from './attention/delivery.ts';
import { EventSeq } from './events/event-seq.ts';
import { EventSchema } from './events/events.ts';
import { LoopPermissions } from './loops/loop-permissions.ts';
import { LoopStatus } from './model.ts';
import { SessionName } from './session-name.ts';
import { SubjectRef } from './events/subject.ts';

export const CreateSession = z.strictObject({
  name: SessionName,
  cwd: z.string().min(1).max(1024),
});

/** Enough for a file; a longer text belongs in one. */
const MAX_INPUT_CHARACTERS = 256 * 1024;
/** A character takes up to six bytes in JSON. */
export const MAX_INPUT_BYTES = 6 * MAX_INPUT_CHARACTERS + 1024;

export const SessionInput = z.strictObject({
  /** Control bytes other than tab and newline are removed before typing. */
  text: z.string().max(MAX_INPUT_CHARACTERS),
  /** Press Enter after the text. */
  submit: z.boolean(),
  /** Fails with `program_changed` when another kind is in the foreground. Omitted: any. */
  to: InputTarget.optional(),
});
export type SessionInput = z.infer<typeof SessionInput>;

export const ResizeSession = z.strictObject({
  cols: wholeNumber(20, 500),
  rows: wholeNumber(5, 200),
});

export const ScrollbackQuery = z.strictObject({
  /** First row, from the oldest stored; negative: from the newest. Omitted: the newest rows. */
  from: z
    .string()
    .regex(/^-?\d{1,6}$/)
    .transform(Number)
    .optional(),
  lines: queryInt(1, 1000).default(100),
});

export const ScrollbackPage = z.object({
  session: SessionName,
  /** Stored rows; the oldest are dropped beyond the terminal's bound. */
  total: z.int(),
  /** Of the first line. */
  offset: z.int(),
  lines: z.array(z.string()),
});

const MaxIterations = wholeNumber(1, MAX_ITERATIONS);
const TimeoutMinutes = wholeNumber(1, MAX_TIMEOUT_MINUTES);

export const StartAuto = z.strictObject({
  /** The task directory in the main worktree, absolute. */
  taskDir: z.string().min(1).max(1024),
  maxIterations: MaxIterations.default(DEFAULT_MAX_ITERATIONS),
  timeoutMinutes: TimeoutMinutes.default(DEFAULT_TIMEOUT_MINUTES),
  /** Omitted: those of the settings, where the agent takes any. */
  permissions: LoopPermissions.optional(),
});
export type StartAuto = z.infer<typeof StartAuto>;

export const ChangeLimits = z
  .strictObject({
    maxIterations: MaxIterations.optional(),
    timeoutMinutes: TimeoutMinutes.optional(),
  })
  .refine((body) => body.maxIterations !== undefined || body.timeoutMinutes !== undefined, {
    message: 'pass at least one of maxIterations and timeoutMinutes',
  });
export type ChangeLimits = z.infer<typeof ChangeLimits>;

/** What is omitted stays unchanged. */
export const RestartAuto = z
  .strictObject({
    maxIterations: MaxIterations.optional(),
    timeoutMinutes: TimeoutMinutes.optional(),
    permissions: LoopPermissions.optional(),
  })
  .default({});
export type RestartAuto = z.infer<typeof RestartAuto>;

export const StartedLoop = z.object({
  session_name: SessionName,
  task_dir: z.string(),
  status: LoopStatus,
  max_iterations: z.int(),
  timeout_minutes: z.int(),
  started_at: z.iso.datetime(),
  seq: EventSeq,
});

const CommaList = z
  .string()
  .max(2048)
  .transform((text) => text.split(',').filter(Boolean));

const CursorText = z
  .string()
  .refine((text) => parseCursor(text) !== null, { message: 'must be a seq or epoch:seq' });

function wholeNumber(minimum: number, maximum: number) {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  return z.int({ message }).min(minimum, { message }).max(maximum, { message });
}

function queryInt(minimum: number, maximum: number) {
  return z
    .string()
    .regex(/^\d{1,6}$/)
    .transform(Number)
    .pipe(z.int().min(minimum).max(maximum));
}

const EventFilterQuery = {
  types: CommaList.optional(),
  /** Events of these sessions or about these subjects. Both omitted: all. */
  session: CommaList.optional(),
  subject: CommaList.pipe(z.array(SubjectRef)).optional(),
};

export const EventsQuery = z
  .strictObject({
    /** Omitted: from the oldest stored event. */
    after: CursorText.optional(),
    /** Instead of `after`: events before this one, newest first. */
    before: CursorText.optional(),
    limit: queryInt(1, 1000).default(100),
    ...EventFilterQuery,
    /** Seconds to wait for the first event. */
    wait: queryInt(0, 30).default(0),
  })
  .refine(
    ({ after, before, wait }) => before === undefined || (after === undefined && wait === 0),
    {
      message: 'before cannot be combined with after or wait',
    },
  );

export const EventsPage = z.object({
  epoch: z.string(),
  head: z.int(),
  /**
   * The cursor to send next; it also advances past events that the filter excluded. With `before`
   * it is the next `before`, and 0 when nothing older is stored.
   */
  next: z.int(),
  events: z.array(EventSchema),
  /** Present when the cursor could not be honoured: read the state again, continue from `next`. */
  reset: z.object({ reason: ResetReason, oldest: z.int(), head: z.int() }).optional(),
});
export type EventsPage = z.infer<typeof EventsPage>;

/** Without `after` and Last-Event-ID: live only. */
export const EventStreamQuery = z.strictObject({
  after: CursorText.optional(),
  ...EventFilterQuery,
});

/** Buckets per series in one answer. */
const MAX_BUCKETS = 500;

export const EventCountsQuery = z
  .strictObject({
    /** Time span and bucket size, in seconds. */
    seconds: queryInt(60, 604_800).default(1_800),
    bucket: queryInt(10, 86_400).default(60),
    /** The end of the span; events at or after it do not count. Default: now. */
    until: z.iso.datetime({ offset: true }).optional(),
    ...EventFilterQuery,
  })
  .refine(({ seconds, bucket }) => seconds / bucket <= MAX_BUCKETS, {
    message: `too many buckets (at most ${MAX_BUCKETS}); use a longer bucket`,
  });

/** Event counts per session and type in each bucket; empty series are omitted. */
export const EventCounts = z.object({
  /** Start of the first bucket; the last one is still filling. */
  from: z.iso.datetime(),
  /** The newest counted event: later ones can be added to the counts. */
  head: z.int(),
  bucket_seconds: z.int(),
  series: z.array(
    z.object({ session: z.string().nullable(), type: z.string(), counts: z.array(z.int().min(0)) }),
  ),
});
export type EventCounts = z.infer<typeof EventCounts>;
