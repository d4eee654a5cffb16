import { z } from 'zod';

/**
 * In the answer to a request: the seq of the event that tells what it did. A repeated request that
 * changed nothing gets the newest seq there was. What a later request does has a greater one.
 */
export const EventSeq = z.int().min(0);
