/** Stored snapshots: what a session showed earlier. */
import { z } from 'zod';
import { Screen } from './model.ts';
import { SessionName } from './session-name.ts';

/** What happened right after a snapshot was taken, in order of increasing significance. */
export const ScreenMoment = z.enum([
  'agent',
  'signal',
  'restart',
  'recovery',
  'quota',
  'stall',
  'attention',
  'end',
  'crash',
]);
export type ScreenMoment = z.infer<typeof ScreenMoment>;

const entry = {
  /** Increases from snapshot to snapshot; its name in the API. */
  number: z.int().min(1),
  at: z.iso.datetime(),
  /** The newest event when it was taken; events with a higher seq happened later. */
  seq: z.int().min(0),
  moment: ScreenMoment.nullable(),
};

/** One stored snapshot, without its content. */
export const ScreenEntry = z.object(entry);
export type ScreenEntry = z.infer<typeof ScreenEntry>;

export const PastScreen = Screen.extend(entry);
export type PastScreen = z.infer<typeof PastScreen>;

export const ScreensQuery = z.strictObject({
  /** Only snapshots with a lower number. */
  before: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .optional(),
  limit: z
    .string()
    .regex(/^\d{1,4}$/)
    .transform(Number)
    .pipe(z.int().min(1).max(1000))
    .default(100),
});

/** Newest first. */
export const ScreensPage = z.object({
  session: SessionName,
  screens: z.array(ScreenEntry),
  /** The `before` of the next page; null when no older snapshot is stored. */
  next: z.int().nullable(),
});
export type ScreensPage = z.infer<typeof ScreensPage>;
