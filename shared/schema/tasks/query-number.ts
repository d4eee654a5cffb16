import { z } from 'zod';

/** Takes bounds; gives the schema of a whole number between them, written in a query. */
export function wholeNumberText(minimum: number, maximum: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, { message: 'must be a whole number' })
    .transform(Number)
    .pipe(z.int().min(minimum).max(maximum));
}
