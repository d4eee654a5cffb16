/** Hooks in the user's own settings of the client, which relay permissions and questions. */
import { z } from 'zod';

export const ClientHooks = z.object({
  /** `outdated`: they name a program of an earlier installation. */
  state: z.enum(['off', 'on', 'outdated']),
  /** The settings file, behind any link. */
  file: z.string(),
  /** Why it cannot be changed; null when it can. */
  refusal: z.string().nullable(),
  /** What installing changes, or removing while they are on; null when it is refused. */
  change: z
    .object({
      /** The changed lines with a few around them. */
      before: z.string(),
      after: z.string(),
      /** Of the settings as they are now; hand it over with the request that changes them. */
      mark: z.string(),
    })
    .nullable(),
});
export type ClientHooks = z.infer<typeof ClientHooks>;

export const ChangeClientHooks = z.strictObject({
  action: z.enum(['install', 'remove']),
  /** Of the change that was shown: with other settings nothing is changed. */
  mark: z.string().max(100).optional(),
});
