import type { RequestError } from '$lib/client/request-error.ts';

export type AlertField =
  | 'name'
  | 'types'
  | 'pattern'
  | 'digest_minutes'
  | 'sessions'
  | 'tasks'
  | 'from'
  | 'to'
  | 'zone'
  | 'url'
  | 'secret'
  | 'command'
  /** Of a service. */
  | `target.${string}`
  | `steps.${string}`;
export type AlertErrors = Partial<Record<AlertField | 'form', string>>;

/** The form field for each path the daemon reports; the first match. */
const PLACES: readonly (readonly [path: string, field: AlertField])[] = [
  ['name', 'name'],
  ['types', 'pattern'],
  ['sessions', 'sessions'],
  ['tasks', 'tasks'],
  ['digest_minutes', 'digest_minutes'],
  ['quiet_hours.from', 'from'],
  ['quiet_hours.time_zone', 'zone'],
  ['quiet_hours', 'to'],
  ['target.url', 'url'],
  ['target.secret', 'secret'],
  ['target.argv', 'command'],
];

/** Maps a rejection to the fields of the form. */
export function alertErrors(error: RequestError): AlertErrors {
  const issues = Array.isArray(error.details.issues) ? (error.details.issues as unknown[]) : [];
  const found: AlertErrors = {};
  for (const issue of issues) {
    const { field, message } = issue as { field?: unknown; message?: unknown };
    const place = placeOf(String(field));
    if (place !== undefined && typeof message === 'string') found[place] ??= `Invalid: ${message}.`;
  }
  return Object.keys(found).length === 0 ? { form: error.message } : found;
}

/** A step has the same fields as the rule's own target, below its place. */
function placeOf(path: string): AlertField | undefined {
  const [, start = '', rest = ''] = /^(steps\.\d+\.)(.+)$/.exec(path) ?? [];
  if (start !== '') return `${start as 'steps.'}${placeOf(rest) ?? rest}`;
  const known = PLACES.find(([prefix]) => path.startsWith(prefix))?.[1];
  return known ?? (path.startsWith('target.') ? (path as AlertField) : undefined);
}
