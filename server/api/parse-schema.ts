import type { z } from 'zod';
import { AppError } from '../lib/app-error.ts';

type Issue = z.core.$ZodIssue;

/** Throws `code` with the first issue as its message. */
export function parseSchema(
  schema: z.ZodType,
  value: unknown,
  code: 'invalid_body' | 'invalid_query',
): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => ({
    field: issue.path.map(String).join('.'),
    message: issueText(issue),
  }));
  const [first] = issues;
  const field = first === undefined || first.field === '' ? '' : `${first.field}: `;
  throw new AppError(code, `${field}${first?.message ?? 'is not valid'}`, { issues });
}

/** What is allowed, for a person; a schema's own message stays. */
function issueText(issue: Issue): string {
  const { message } = issue;
  if (issue.code === 'too_small' && message.startsWith('Too small')) {
    const { origin, minimum, inclusive = true } = issue;
    if (minimum === 1 && inclusive && unitOf(origin) !== '') return 'must not be empty';
    return `must be ${inclusive ? 'at least' : 'more than'} ${minimum}${unitOf(origin)}`;
  }
  if (issue.code === 'too_big' && message.startsWith('Too big')) {
    const { origin, maximum, inclusive = true } = issue;
    return `must be ${inclusive ? 'at most' : 'less than'} ${maximum}${unitOf(origin)}`;
  }
  if (issue.code === 'invalid_type' && message.startsWith('Invalid input')) {
    return message.endsWith('received undefined')
      ? `is missing; must be ${withArticle(issue.expected)}`
      : `must be ${withArticle(issue.expected)}`;
  }
  if (issue.code === 'invalid_value' && message.startsWith('Invalid ')) {
    return `must be one of ${issue.values.map(String).join(', ')}`;
  }
  if (issue.code === 'unrecognized_keys') return `unknown: ${issue.keys.join(', ')}`;
  return message;
}

/** Empty for a number. */
function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' || origin === 'set' ? ' entries' : '';
}

function withArticle(type: string): string {
  const name = type === 'int' ? 'whole number' : type;
  return `${/^[aeio]/.test(name) ? 'an' : 'a'} ${name}`;
}
