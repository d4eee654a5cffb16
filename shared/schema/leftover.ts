/** Processes that the daemon could not end, listed so that a person can. */
import { z } from 'zod';

export const Leftover = z.object({
  pid: z.int(),
  /** At most 200 characters. */
  command: z.string(),
  /** `not_permitted`: owned by another user. `still_running`: it survived SIGKILL, as on a hung disk. */
  cause: z.enum(['not_permitted', 'still_running']),
});
export type Leftover = z.infer<typeof Leftover>;
