/** What the daemon may type into a stopped agent. */
import { z } from 'zod';

export const RecoveryMode = z.enum(['off', 'safe', 'full']);
export type RecoveryMode = z.infer<typeof RecoveryMode>;
