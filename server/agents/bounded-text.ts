/** Text of other programs, cut to a size that can be stored. */
import { z } from 'zod';

/** Cuts text longer than `limit` characters. */
export function boundedText(limit: number): z.ZodType<string> {
  return z.string().transform((text) => text.slice(0, limit));
}
