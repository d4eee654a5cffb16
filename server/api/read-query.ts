import { AppError } from '../lib/app-error.ts';

const MAX_PARAMETERS = 32;
const MAX_BYTES = 8 * 1024;
/** Of a parameter's name, in a message. */
const SHOWN_CHARACTERS = 64;

/**
 * The parameters of a URL's `search`, in one pass. Throws `invalid_query` for too many or too long
 * ones, and for a repeated name.
 */
export function readQuery(search: string): Record<string, string> {
  if (search.length > MAX_BYTES) {
    throw new AppError('invalid_query', `the query is longer than ${MAX_BYTES} bytes`);
  }
  // Counted before anything is decoded; `split` stops at its limit.
  if (search.split('&', MAX_PARAMETERS + 1).length > MAX_PARAMETERS) {
    throw new AppError('invalid_query', `the query has more than ${MAX_PARAMETERS} parameters`);
  }
  const query = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(search)) {
    if (query.has(name)) {
      const shown = name.slice(0, SHOWN_CHARACTERS);
      throw new AppError('invalid_query', `${shown} was given more than once`);
    }
    query.set(name, value);
  }
  return Object.fromEntries(query);
}
