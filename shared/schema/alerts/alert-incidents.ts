/** What an alert with steps reports, until a person acknowledges it. */
import { z } from 'zod';
import { AlertTarget, AlertTargetView } from './alert-targets.ts';

const MAX_STEPS = 5;
/** A day: after that, a link to acknowledge has expired. */
const MAX_MINUTES = 24 * 60;

const after_minutes = z.int().min(1).max(MAX_MINUTES);

/** Who is next when no one has acknowledged for so long, counted from what came before. */
export const AlertSteps = z
  .array(z.strictObject({ after_minutes, target: AlertTarget }))
  .max(MAX_STEPS);
export type AlertSteps = z.infer<typeof AlertSteps>;

export const AlertStepsView = z.array(z.object({ after_minutes, target: AlertTargetView }));
export type AlertStepsView = z.infer<typeof AlertStepsView>;

/** By a person on the page or in the shell, by a link, or because its inbox item was closed. */
export const AcknowledgedVia = z.enum(['person', 'link', 'inbox']);

export const AlertIncident = z.object({
  id: z.string(),
  rule: z.string(),
  /** Of the rule. */
  name: z.string(),
  /** Of the event. */
  seq: z.int(),
  type: z.string(),
  session: z.string().nullable(),
  task: z.string().nullable(),
  reason: z.string().nullable(),
  /** As in the message. */
  title: z.string(),
  opened_at: z.iso.datetime(),
  /** The last step that began; 0: only the rule's own target. */
  step: z.int().min(0),
  steps: z.int().min(0),
  /** Null: no further step. */
  next_step_at: z.iso.datetime().nullable(),
  next_target: z.string().nullable(),
  acknowledged_at: z.iso.datetime().nullable(),
  acknowledged_by: z.string().nullable(),
  acknowledged_via: AcknowledgedVia.nullable(),
});
export type AlertIncident = z.infer<typeof AlertIncident>;

export const AlertIncidentQuery = z.strictObject({
  state: z.enum(['open', 'all']).default('open'),
  limit: z
    .string()
    .regex(/^\d{1,6}$/)
    .transform(Number)
    .pipe(z.int().min(1).max(1000))
    .default(100),
});

export const AlertIncidentPage = z.object({ incidents: z.array(AlertIncident) });

/** The part of a link after `#`. */
export const AcknowledgeByLink = z.strictObject({ token: z.string().min(1).max(200) });
