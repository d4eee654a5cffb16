/** What the agent may do without a question, as the client names it. */
import { z } from 'zod';

export const PermissionMode = z.enum(['default', 'acceptEdits', 'plan', 'bypassPermissions']);
export type PermissionMode = z.infer<typeof PermissionMode>;
