/** Processes that the daemon should have ended and could not: named so that a person can. */
import { z } from 'zod';

export const Leftover = z.object({
  pid: z.int(),
  /** At most 200 characters. */
  command: z.string(),
  /** `not_permitted`: another user owns it. `still_running`: it survived SIGKILL, as in a hung disk. */
  cause: z.enum(['not_permitted', 'still_running']),
});
export type Leftover = z.infer<typeof Leftover>;
