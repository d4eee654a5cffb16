/** Alert rules and the log of their deliveries. */
import { z } from 'zod';
import { AlertSteps, AlertStepsView } from './alert-incidents.ts';
import { AlertTarget, AlertTargetView } from './alert-targets.ts';
import { isTypePattern } from '../events/events.ts';
import { plainText } from '../../rules/text/plain-text.ts';
import { RESPAWN_BLOCKS } from '../../rules/respawn/respawn-names.ts';
import { Reason } from '../reasons.ts';
import { SessionName } from '../session-name.ts';
import { SubjectRef } from '../events/subject.ts';
import { TaskName } from '../tasks/task-name.ts';

const MAX_LIST = 64;
/** Half a day: a delivery has a day to arrive. */
export const MAX_DIGEST_MINUTES = 12 * 60;

/** What `data.reason` of an event may be; respawn has codes of its own. */
export const AlertReason = z.enum([...Reason.options, ...RESPAWN_BLOCKS]);
export type AlertReason = z.infer<typeof AlertReason>;

const TypePattern = z
  .string()
  .max(64)
  .refine(isTypePattern, { message: 'must be an event type, a prefix.* or *' });

const TimeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { message: 'must be a time such as 22:00' });

export const TimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, { message: 'must be an IANA time zone such as Europe/Berlin' });

/** By the wall clock of the zone; the end is exclusive and may be past midnight. */
export const QuietHours = z
  .strictObject({
    from: TimeOfDay,
    to: TimeOfDay,
    time_zone: TimeZone,
    /** Events with one of these reasons are sent anyway. */
    except_reasons: z.array(AlertReason).max(MAX_LIST).optional(),
  })
  .refine(({ from, to }) => from !== to, {
    message: 'quiet hours must start and end at different times',
  });
export type QuietHours = z.infer<typeof QuietHours>;

const AlertFields = {
  name: z.string().trim().min(1).max(80).refine(isPlain, { message: 'must be one line of text' }),
  enabled: z.boolean(),
  types: z.array(TypePattern).min(1).max(MAX_LIST),
  /** Events of these sessions or tasks, or about these subjects. All null: every event. */
  sessions: z.array(SessionName).min(1).max(256).nullable(),
  tasks: z.array(TaskName).min(1).max(256).nullable(),
  subjects: z.array(SubjectRef).min(1).max(256).nullable(),
  /** Null: all, including events without a reason. */
  reasons: z.array(AlertReason).min(1).max(MAX_LIST).nullable(),
  quiet_hours: QuietHours.nullable(),
  /** After an event was sent, more of its type and reason are sent together, so many minutes later. */
  digest_minutes: z.int().min(1).max(MAX_DIGEST_MINUTES).nullable(),
};

export const CreateAlert = z.strictObject({
  ...AlertFields,
  enabled: AlertFields.enabled.default(true),
  sessions: AlertFields.sessions.default(null),
  tasks: AlertFields.tasks.default(null),
  subjects: AlertFields.subjects.default(null),
  reasons: AlertFields.reasons.default(null),
  quiet_hours: AlertFields.quiet_hours.default(null),
  digest_minutes: AlertFields.digest_minutes.default(null),
  target: AlertTarget,
  steps: AlertSteps.default([]),
});
export type CreateAlert = z.infer<typeof CreateAlert>;

export const ChangeAlert = z
  .strictObject({ ...AlertFields, target: AlertTarget, steps: AlertSteps })
  .partial()
  .refine((body) => Object.keys(body).length > 0, { message: 'pass at least one field' });
export type ChangeAlert = z.infer<typeof ChangeAlert>;

export const AlertDeliveryState = z.enum(['waiting', 'sent', 'dead']);
export type AlertDeliveryState = z.infer<typeof AlertDeliveryState>;

/** A rule as shown. Only admins see more of its target than the origin of a URL and a command's program. */
export const AlertRule = z.object({
  ...AlertFields,
  id: z.string(),
  target: AlertTargetView,
  steps: AlertStepsView,
  created_at: z.iso.datetime(),
  /** Deliveries not sent yet. */
  waiting: z.int().min(0),
  /** `sent` arrived, `dead` will not be retried; counted as far as the log reaches. */
  sent: z.int().min(0),
  dead: z.int().min(0),
  /** The last attempt of any delivery; null before the first. */
  last_attempt: z
    .object({
      state: AlertDeliveryState,
      status: z.int().nullable(),
      error: z.string().nullable(),
      at: z.iso.datetime(),
    })
    .nullable(),
});
export type AlertRule = z.infer<typeof AlertRule>;

/** The answer to creating or changing a rule: the only time a new secret is shown. */
export const WrittenAlert = AlertRule.extend({ secret: z.string().nullable() });
export type WrittenAlert = z.infer<typeof WrittenAlert>;

export const AlertPage = z.object({ alerts: z.array(AlertRule) });

/** One event, or several of one cause, on the way to one target. */
export const AlertDelivery = z.object({
  /** Also the `webhook-id`: the same for every attempt. */
  id: z.string(),
  rule: z.string(),
  /** Of the first event. */
  seq: z.int(),
  type: z.string(),
  session: z.string().nullable(),
  task: z.string().nullable(),
  /** How many it reports; more than one only with `digest_minutes`. */
  events: z.int().min(1),
  /** Whose target gets it; 0: that of the rule. */
  step: z.int().min(0),
  state: AlertDeliveryState,
  attempts: z.int().min(0),
  /** Of the last attempt: the HTTP status or the exit code. */
  status: z.int().nullable(),
  error: z.string().nullable(),
  /** The end of what the command printed, at most 1 KiB; for admins. */
  output: z.string().nullable(),
  /** Earliest next attempt; null when none is planned. */
  next_try_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  changed_at: z.iso.datetime(),
});
export type AlertDelivery = z.infer<typeof AlertDelivery>;

export const AlertDeliveryQuery = z.strictObject({
  rule: z.string().max(64).optional(),
  state: AlertDeliveryState.optional(),
  limit: z
    .string()
    .regex(/^\d{1,6}$/)
    .transform(Number)
    .pipe(z.int().min(1).max(1000))
    .default(100),
});

export const AlertDeliveryPage = z.object({ deliveries: z.array(AlertDelivery) });

/** The result of a test, which creates no event and no log entry. */
export const AlertTestResult = z.object({
  ok: z.boolean(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  /** The output of a command, or the start of a webhook's answer, at most 1 KiB. */
  output: z.string().nullable(),
  duration_ms: z.number().min(0),
});
export type AlertTestResult = z.infer<typeof AlertTestResult>;

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

function isPlain(text: string): boolean {
  return plainText(text) === text && !/[\n\t]/.test(text);
}
