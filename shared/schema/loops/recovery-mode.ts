/** What the daemon may type into an agent that has come to a stop. */
import { z } from 'zod';

export const RecoveryMode = z.enum(['off', 'safe', 'full']);
export type RecoveryMode = z.infer<typeof RecoveryMode>;
