import { z } from 'zod';

/** What was done about a full context: `fresh` is a new conversation with a hand-over. */
export const ContextStep = z.enum(['compact', 'fresh']);
export type ContextStep = z.infer<typeof ContextStep>;
