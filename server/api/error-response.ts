import type { ErrorCode } from '../../shared/schema/errors.ts';
import { AppError, messageOf } from '../lib/app-error.ts';
import type { Log } from '../lib/log.ts';
import { asStorageError } from '../lib/files/storage-error.ts';

/** Seconds until a retry: for a store that failed, and for hooks, whose relay retries every 2 s. */
const STORAGE_RETRY_SECONDS = '5';
const HOOKS_RETRY_SECONDS = '2';

/** Where the published contract of tasks repeats the message as `detail`. */
const DETAILED = /^\/api\/v1(?:\/|$)/;

/** The one error body with its true status. Errors that are not ours are logged. */
export function errorResponse(thrown: unknown, logger: Log, path = ''): Response {
  const error = asStorageError(thrown);
  if (!(error instanceof AppError)) logger.error({ err: error }, messageOf(error));
  const known =
    error instanceof AppError
      ? error
      : new AppError('internal', 'internal error; see the daemon log for details');
  const retryAfter = retrySeconds(known.code);
  const headers: Record<string, string> = retryAfter === null ? {} : { 'retry-after': retryAfter };
  const detail = DETAILED.test(path) ? { detail: known.message } : {};
  return Response.json({ ...known.toBody(), ...detail }, { status: known.status, headers });
}

function retrySeconds(code: ErrorCode): string | null {
  if (code === 'hooks_busy') return HOOKS_RETRY_SECONDS;
  return code.startsWith('storage_') ? STORAGE_RETRY_SECONDS : null;
}
