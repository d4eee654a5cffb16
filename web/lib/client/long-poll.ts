/** Reads events by long poll with the same cursor as the socket. */
import type { EventsPage } from '$shared/schema/requests.ts';
import { retryDelayMs } from '$shared/rules/backoff.ts';
import type { Pause } from './pause.ts';
import type { Rest } from './rest.ts';

const WAIT_SECONDS = 25;
const ANSWER_WITHIN_MS = (WAIT_SECONDS + 10) * 1000;
/** Pause after each page, so that a busy daemon is read in batches. */
const BETWEEN_PAGES_MS = 250;

export interface LongPollOptions {
  rest: Rest;
  signal: AbortSignal;
  /** The delays between attempts; the owner can cut them short. */
  pause: Pause;
  /** Called with the time of the next attempt after a failure, and with null when it starts. */
  onWait: (until: number | null) => void;
  /** The cursor to read after; null until the state was first read. */
  after: () => string | null;
  /** Reads the state for the first time and sets the cursor. */
  begin: () => Promise<void>;
  onPage: (page: EventsPage) => Promise<void>;
  onUnreachable: () => void;
}

/** Runs until the signal is aborted. */
export async function pollEvents(options: LongPollOptions): Promise<void> {
  const { rest, signal, pause } = options;
  signal.addEventListener('abort', () => pause.cut(), { once: true });
  let failures = 0;
  // The first answer must come at once: it shows whether polling works at all.
  let waitSeconds = 0;
  while (!signal.aborted) {
    try {
      if (options.after() === null) await options.begin();
      const page = await rest.callLive('listEvents', {
        query: { after: options.after() ?? '0', limit: '500', wait: String(waitSeconds) },
        timeoutMs: ANSWER_WITHIN_MS,
        signal,
      });
      if (isAborted(signal)) return;
      await options.onPage(page);
      failures = 0;
      waitSeconds = WAIT_SECONDS;
      await pause.wait(BETWEEN_PAGES_MS);
    } catch {
      if (isAborted(signal)) return;
      failures += 1;
      waitSeconds = 0;
      options.onUnreachable();
      const delayMs = Math.max(500, retryDelayMs(failures));
      options.onWait(Date.now() + delayMs);
      await pause.wait(delayMs);
      options.onWait(null);
    }
  }
}

/** A function, so that the compiler does not reuse an earlier result. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
