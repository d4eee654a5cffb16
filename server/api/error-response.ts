import { AppError, messageOf } from '../lib/app-error.ts';
import type { Log } from '../lib/log.ts';
import { asStorageError } from '../lib/storage-error.ts';

/** When to ask again a store that failed: seconds. */
const RETRY_AFTER_SECONDS = '5';

/** Where the published contract of tasks has the message a second time, as `detail`. */
const DETAILED = /^\/api\/v1(?:\/|$)/;

/**
 * Takes anything thrown and the path that was asked for; gives the one error body with its true
 * status. What is not ours is logged.
 */
export function errorResponse(thrown: unknown, logger: Log, path = ''): Response {
  const error = asStorageError(thrown);
  if (!(error instanceof AppError)) logger.error({ err: error }, messageOf(error));
  const known =
    error instanceof AppError
      ? error
      : new AppError('internal', 'something went wrong in the daemon; its log says what');
  const headers: Record<string, string> = known.code.startsWith('storage_')
    ? { 'retry-after': RETRY_AFTER_SECONDS }
    : {};
  const detail = DETAILED.test(path) ? { detail: known.message } : {};
  return Response.json({ ...known.toBody(), ...detail }, { status: known.status, headers });
}
