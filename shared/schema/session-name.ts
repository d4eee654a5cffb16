import { z } from 'zod';

/** Also the `:id` of all session routes. */
export const SessionName = z.string().regex(/^[A-Za-z0-9_-]{1,32}$/, {
  message: 'use 1 to 32 letters, digits, - and _',
});
