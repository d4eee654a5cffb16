import { z } from 'zod';

/** The kinds of supervisors that may own a session. This is the only list. */
export const OWNERS = ['auto', 'respawn'] as const;
export const Owner = z.enum(OWNERS);
export type Owner = z.infer<typeof Owner>;
