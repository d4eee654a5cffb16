import { z } from 'zod';

/** The network engines; `uws` is optional and installed separately. */
export const TransportName = z.enum(['ws', 'uws']);
export type TransportName = z.infer<typeof TransportName>;
