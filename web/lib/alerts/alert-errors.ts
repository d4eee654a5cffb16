import type { RequestError } from '$lib/client/request-error.ts';

export type AlertField =
  | 'name'
  | 'types'
  | 'pattern'
  | 'sessions'
  | 'tasks'
  | 'from'
  | 'to'
  | 'zone'
  | 'url'
  | 'secret'
  | 'command';
export type AlertErrors = Partial<Record<AlertField | 'form', string>>;

/** Where the daemon's path into a body leads in the form; the first that fits. */
const PLACES: readonly (readonly [path: string, field: AlertField])[] = [
  ['name', 'name'],
  ['types', 'pattern'],
  ['sessions', 'sessions'],
  ['tasks', 'tasks'],
  ['quiet_hours.from', 'from'],
  ['quiet_hours.time_zone', 'zone'],
  ['quiet_hours', 'to'],
  ['target.url', 'url'],
  ['target.secret', 'secret'],
  ['target.argv', 'command'],
];

/** Takes why a rule was not taken; gives each message at the field it belongs to. */
export function alertErrors(error: RequestError): AlertErrors {
  const issues = Array.isArray(error.details.issues) ? (error.details.issues as unknown[]) : [];
  const found: AlertErrors = {};
  for (const issue of issues) {
    const { field, message } = issue as { field?: unknown; message?: unknown };
    const place = PLACES.find(([path]) => String(field).startsWith(path))?.[1];
    if (place !== undefined && typeof message === 'string') found[place] ??= `Invalid: ${message}.`;
  }
  return Object.keys(found).length === 0 ? { form: error.message } : found;
}
