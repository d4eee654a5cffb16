import type { RequestError } from '$lib/client/request-error.ts';

/** Errors of a form by field, or `form` for the whole form. */
export type FieldErrors<Field extends string> = Partial<Record<Field | 'form', string>>;

/** The daemon reports issues by field; issues without a field here are shown for the form. */
export function fieldErrors<Field extends string>(
  { code, message, details }: RequestError,
  fields: readonly Field[],
): FieldErrors<Field> {
  const issues =
    code === 'invalid_body' && Array.isArray(details.issues) ? (details.issues as unknown[]) : [];
  const found: Partial<Record<string, string>> = {};
  for (const issue of issues) {
    const { field, message: text } = issue as { field?: unknown; message?: unknown };
    const [first] = typeof field === 'string' ? field.split('.') : [];
    const known = fields.find((name) => name === first);
    if (known !== undefined && typeof text === 'string') found[known] ??= text;
  }
  if (Object.keys(found).length === 0) found['form'] = message;
  return found;
}
