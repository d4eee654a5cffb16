import { z } from 'zod';

/**
 * In the answer to a request: the seq of the event it caused. A repeated request that changed
 * nothing gets the newest seq at that time. The events of later requests have a greater one.
 */
export const EventSeq = z.int().min(0);
