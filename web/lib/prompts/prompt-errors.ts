/** What is wrong with a prompt, at the field that it concerns. Pure. */
import type { RequestError } from '$lib/client/request-error.ts';

const FIELDS = ['title', 'content', 'category', 'tags'] as const;
export type PromptErrors = Partial<Record<(typeof FIELDS)[number] | 'form', string>>;

/** Takes why a prompt could not be written; gives the message at its field. */
export function promptErrors({ code, message, details }: RequestError): PromptErrors {
  const issues =
    code === 'invalid_body' && Array.isArray(details.issues) ? (details.issues as unknown[]) : [];
  const found: PromptErrors = {};
  for (const issue of issues) {
    const { field, message: text } = issue as { field?: unknown; message?: unknown };
    const known = FIELDS.find((name) => name === field);
    if (known !== undefined && typeof text === 'string') found[known] ??= text;
  }
  return Object.keys(found).length === 0 ? { form: message } : found;
}
