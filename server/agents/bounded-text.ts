/** Text and values of other programs, cut to a size that can be kept. */
import { z } from 'zod';

const MAX_DEPTH = 8;
const MAX_ENTRIES = 200;

/** Takes a limit in characters; gives a schema for text that cuts what is longer. */
export function boundedText(limit: number): z.ZodType<string> {
  return z.string().transform((text) => text.slice(0, limit));
}

/** Takes any JSON value; gives it with long strings, long lists and deep nesting cut. */
export function boundedValue(value: unknown, limit = 4_000, depth = MAX_DEPTH): unknown {
  if (typeof value === 'string') return value.slice(0, limit);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return null;
  if (Array.isArray(value)) {
    return value.slice(0, MAX_ENTRIES).map((entry) => boundedValue(entry, limit, depth - 1));
  }
  const entries = Object.entries(value).slice(0, MAX_ENTRIES);
  return Object.fromEntries(
    entries.map(([key, entry]) => [key.slice(0, 200), boundedValue(entry, limit, depth - 1)]),
  );
}
