/** Versions of the agent's client, and which of them Loopwatch may type into. */
import { z } from 'zod';
import { Author } from './people/people-events.ts';

/** `2.1.329`. */
const ClientVersionText = z
  .string()
  .regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/, { message: 'must be a version such as 2.1.329' });

const ClientVersionRow = z.object({
  version: ClientVersionText,
  /** Not newer than the newest whose behaviour was measured. */
  tested: z.boolean(),
  /** Whether Loopwatch types into it: tested, or trusted by a person or a setting. */
  trusted: z.boolean(),
  /** Who trusted it, and when; null where no person did. */
  trusted_by: z.string().nullable(),
  trusted_at: z.iso.datetime().nullable(),
  /** Sessions in which it is at work now. */
  sessions: z.array(z.string()),
});

export const ClientVersions = z.object({
  newest_tested: ClientVersionText,
  /** `any`: every version is trusted, by a setting. */
  trust: z.enum(['tested', 'any']),
  /** Newest first: those in a session now, and those that a person trusted. */
  versions: z.array(ClientVersionRow),
});
export type ClientVersions = z.infer<typeof ClientVersions>;

/** Held input is typed once its version is trusted. */
export const SetClientTrust = z.strictObject({ version: ClientVersionText, trusted: z.boolean() });

export const CLIENT_VERSION_EVENTS = {
  'client.trusted': z.object({ version: ClientVersionText, author: Author }),
  'client.distrusted': z.object({ version: ClientVersionText, author: Author }),
} as const;
