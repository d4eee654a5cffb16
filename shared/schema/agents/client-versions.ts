/** Versions of the agent's client, and which of them Loopwatch may type into. */
import { z } from 'zod';
import { Author } from '../people/people-events.ts';

/** `2.1.329`. */
const ClientVersionText = z
  .string()
  .regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/, { message: 'must be a version such as 2.1.329' });

/** What the test of a client does, in this order. */
const CLIENT_TEST_STEPS = ['start', 'record', 'draft', 'work', 'stop', 'leave'] as const;

const ClientTestStep = z.object({
  step: z.enum(CLIENT_TEST_STEPS),
  /** Its state was read as it should be. */
  ok: z.boolean(),
  /** What was seen instead. */
  detail: z.string().nullable(),
});
export type ClientTestStep = z.infer<typeof ClientTestStep>;

/** It ends at the first step that is not read right. */
export const ClientTestResult = z.object({
  at: z.iso.datetime(),
  steps: z.array(ClientTestStep),
});
export type ClientTestResult = z.infer<typeof ClientTestResult>;

export const TestedClient = z.object({
  /** By its own record; null when it wrote none. */
  version: z.string().nullable(),
  test: ClientTestResult,
});
export type TestedClient = z.infer<typeof TestedClient>;

const ClientVersionRow = z.object({
  version: ClientVersionText,
  /** Not newer than the newest whose behaviour was measured. */
  tested: z.boolean(),
  /** Whether Loopwatch types into it: tested, or trusted by a person or a setting. */
  trusted: z.boolean(),
  /** Who trusted it, and when; null where no person did. */
  trusted_by: z.string().nullable(),
  trusted_at: z.iso.datetime().nullable(),
  /** How the newest test of it went; null where it was not tested here. */
  test: ClientTestResult.nullable(),
  /** Sessions in which it is at work now. */
  sessions: z.array(z.string()),
});

export const ClientVersions = z.object({
  newest_tested: ClientVersionText,
  /** `any`: every version is trusted, by a setting. */
  trust: z.enum(['tested', 'any']),
  /** Newest first: those in a session now, those that a person trusted, and those that were tested here. */
  versions: z.array(ClientVersionRow),
});
export type ClientVersions = z.infer<typeof ClientVersions>;

/** Held input is typed once its version is trusted. */
export const SetClientTrust = z.strictObject({ version: ClientVersionText, trusted: z.boolean() });

export const CLIENT_VERSION_EVENTS = {
  'client.trusted': z.object({ version: ClientVersionText, author: Author }),
  /** `failed`: the step that was not read right. */
  'client.tested': z.object({
    version: ClientVersionText,
    failed: z.enum(CLIENT_TEST_STEPS).nullable(),
  }),
  'client.distrusted': z.object({ version: ClientVersionText, author: Author }),
} as const;
