import type { z } from 'zod';
import { AppError } from '../lib/app-error.ts';

/** Throws `code` with the first issue as its message. */
export function parseSchema(
  schema: z.ZodType,
  value: unknown,
  code: 'invalid_body' | 'invalid_query',
): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => ({
    field: path.map(String).join('.'),
    message,
  }));
  const [first] = issues;
  const field = first === undefined || first.field === '' ? '' : `${first.field}: `;
  throw new AppError(code, `${field}${first?.message ?? 'is not valid'}`, { issues });
}
