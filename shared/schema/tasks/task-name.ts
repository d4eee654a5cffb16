import { z } from 'zod';

/**
 * A task by name: in addresses, as a directory and in its branch. So it is none of `..`, `a/b`, `-x`,
 * and no two names share a directory; upper and lower case alone do not tell two tasks apart.
 */
export const TaskName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,199}$/, {
  message: 'use at most 200 letters, digits, - and _, starting with a letter or digit',
});
