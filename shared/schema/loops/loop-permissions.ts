/** What the agent of a loop may do without asking a person. */
import { z } from 'zod';

export const LoopPermissions = z.enum(['ask', 'edit', 'everything']);
export type LoopPermissions = z.infer<typeof LoopPermissions>;
