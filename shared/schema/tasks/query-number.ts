import { z } from 'zod';

/** A whole number within inclusive bounds, as query text. */
export function wholeNumberText(minimum: number, maximum: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, { message: 'must be a whole number' })
    .transform(Number)
    .pipe(z.int().min(minimum).max(maximum));
}
