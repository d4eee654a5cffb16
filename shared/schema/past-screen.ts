/** Pictures of terminals that were kept: what a session showed before now. */
import { z } from 'zod';
import { Screen } from './model.ts';
import { SessionName } from './session-name.ts';

/** What happened right after a picture was taken; what tells more stands further back. */
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
  /** Grows from picture to picture; its name in the API. */
  number: z.int().min(1),
  at: z.iso.datetime(),
  /** The newest event when it was taken: what has a higher seq happened later. */
  seq: z.int().min(0),
  moment: ScreenMoment.nullable(),
};

/** One kept picture, without what it shows. */
export const ScreenEntry = z.object(entry);
export type ScreenEntry = z.infer<typeof ScreenEntry>;

export const PastScreen = Screen.extend(entry);
export type PastScreen = z.infer<typeof PastScreen>;

export const ScreensQuery = z.strictObject({
  /** Only pictures with a lower number. */
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
  /** The `before` of the next page; null when no older picture is kept. */
  next: z.int().nullable(),
});
export type ScreensPage = z.infer<typeof ScreensPage>;
