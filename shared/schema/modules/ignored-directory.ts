/** Directories whose found sessions are left alone. */
import { z } from 'zod';
import { Author } from '../people/people-events.ts';

/** Absolute; what it names may not exist. */
const Directory = z
  .string()
  .max(1024)
  .regex(/^\/[^\p{C}]*$/u, { message: 'must be an absolute path' });

export const IgnoredDirectories = z.object({
  directories: z.array(
    z.object({
      directory: z.string(),
      /** Who added it, and when; null for one of `LOOPWATCH_FOUND_IGNORE`, which only a restart changes. */
      by: z.string().nullable(),
      at: z.iso.datetime().nullable(),
    }),
  ),
});
export type IgnoredDirectories = z.infer<typeof IgnoredDirectories>;

export const SetIgnored = z.strictObject({ directory: Directory, ignored: z.boolean() });
export type SetIgnored = z.infer<typeof SetIgnored>;

export const IGNORED_EVENTS = {
  /** Found sessions in a directory are left alone from now on, or shown again. */
  'found.ignore_set': z.object({ directory: z.string(), ignored: z.boolean(), author: Author }),
} as const;
