/** Text of other programs, cut to a size that can be kept. */
import { z } from 'zod';

/** Takes a limit in characters; gives a schema for text that cuts what is longer. */
export function boundedText(limit: number): z.ZodType<string> {
  return z.string().transform((text) => text.slice(0, limit));
}
