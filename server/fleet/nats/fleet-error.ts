import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import { AppError, messageOf } from '../../lib/app-error.ts';

/** Another writer was first: what `after` named is no longer the newest. */
export function hasMoved(error: unknown): boolean {
  return (
    error instanceof JetStreamApiError &&
    (error.code === JetStreamApiCodes.StreamWrongLastSequence ||
      error.code === JetStreamApiCodes.StreamWrongLastSequenceUnknown)
  );
}

/** Runs a request to the NATS server; every failure of it becomes `host_unreachable`. */
export async function asking<Answer>(what: string, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof AppError || hasMoved(error)) throw error;
    throw new AppError(
      'host_unreachable',
      `cannot ${what}: ${messageOf(error)}; check the NATS server of the fleet`,
    );
  }
}
