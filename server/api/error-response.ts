import { AppError, messageOf } from '../lib/app-error.ts';
import type { Log } from '../lib/log.ts';

/** Takes anything thrown; gives the one error body with its true status. What is not ours is logged. */
export function errorResponse(error: unknown, logger: Log): Response {
  if (!(error instanceof AppError)) logger.error({ err: error }, messageOf(error));
  const known =
    error instanceof AppError
      ? error
      : new AppError('internal', 'something went wrong in the daemon; its log says what');
  return Response.json(known.toBody(), { status: known.status });
}
