import { AppError } from './app-error.ts';
import type { Clock } from './clock.ts';

const RETRY_MS = 1_000;
const TRIES = 30;

/**
 * Ends what a request has begun although the database is busy or full for a moment, so that a
 * refusal leaves nothing. Throws the storage error after half a minute, and any other one at once.
 */
export async function untilStored<Result>(write: () => Result, clock: Clock): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return write();
    } catch (error) {
      const isStorage = error instanceof AppError && error.code.startsWith('storage_');
      if (!isStorage || tries === TRIES) throw error;
    }
    await clock.sleep(RETRY_MS);
  }
}
