import { z } from 'zod';

/**
 * A task's name is also part of its URL, directory and branch. So it is never `..`, `a/b` or `-x`,
 * and no two names share a directory; names that differ only in case are the same.
 */
export const TaskName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,199}$/, {
  message: 'use at most 200 letters, digits, - and _, starting with a letter or digit',
});
