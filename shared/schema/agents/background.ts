/** Sessions that the client ran in the background and that have ended, from its own list. */
import { z } from 'zod';

export const EndedBackground = z.object({
  /** As the client names it. */
  id: z.string(),
  conversation: z.string().nullable(),
  cwd: z.string(),
  /** In the client's own word, such as `done`, `stopped`, `failed`. */
  state: z.string(),
  /** Null for those who may not see the transcript. */
  name: z.string().nullable(),
  started_at: z.iso.datetime().nullable(),
  /** What its agent said last; null without a transcript, and for those who may not see it. */
  result: z.string().nullable(),
});
export type EndedBackground = z.infer<typeof EndedBackground>;

export const BackgroundSessions = z.object({
  /** Why the client was not asked, or gave no list; null: the list is complete. */
  unavailable: z.string().nullable(),
  /** The newest first. */
  sessions: z.array(EndedBackground),
});
export type BackgroundSessions = z.infer<typeof BackgroundSessions>;
