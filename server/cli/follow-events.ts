/**
 * Follows the event stream from the shell: survives restarts of the daemon and of itself. Delivery is
 * at least once, and `epoch:seq` identifies a repeated event.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { formatCursor } from '../../shared/schema/events/cursor.ts';
import type { EventRecord } from '../../shared/schema/events/events.ts';
import { request } from './client.ts';
import { CliError, ExitCode } from './exit-code.ts';

const LONG_POLL_SECONDS = 25;
const PAGE_EVENTS = 500;
const RETRY_MS = 500;
const MAX_RETRY_MS = 5_000;

export interface FollowOptions {
  /** `epoch:seq` or seq; null starts at the newest event. */
  after: string | null;
  types?: string;
  session?: string;
  subject?: string;
  signal: AbortSignal;
  /** Receives a lost connection, its return, and a history that is no longer kept. */
  notice: (text: string) => void;
}

export interface FollowedEvent {
  event: EventRecord;
  /** `epoch:seq`: the event's own key, and the cursor that continues after it. */
  key: string;
}

/** Gives the events in pages, with the cursor to continue from once the page is handled. */
export async function* followEvents(
  options: FollowOptions,
): AsyncGenerator<{ events: FollowedEvent[]; cursor: string }, void, void> {
  const { types, session, subject, signal, notice } = options;
  let after = options.after;
  let failures = 0;
  while (!signal.aborted) {
    try {
      if (after === null) {
        const { epoch, head } = await request('status', {}, signal);
        after = formatCursor(epoch, head);
        yield { events: [], cursor: after };
      }
      const query = {
        after,
        types,
        session,
        subject,
        limit: String(PAGE_EVENTS),
        // After a loss it answers at once, so that the return is noticed before the next event.
        wait: String(failures > 0 ? 0 : LONG_POLL_SECONDS),
      };
      const page = await request('listEvents', { query }, signal);
      if (failures > 0) notice('reconnected');
      failures = 0;
      const { epoch, next, reset } = page;
      if (reset !== undefined) {
        notice(`events after ${after} are no longer kept (${reset.reason}); continuing from now`);
      }
      after = formatCursor(epoch, next);
      const events = (page.events as EventRecord[]).map((event) => ({
        event,
        key: formatCursor(epoch, event.seq),
      }));
      yield { events, cursor: after };
    } catch (error) {
      if (!isDisconnected(error)) {
        if (isAbort(error)) return;
        throw error;
      }
      if (failures === 0) notice('the daemon does not answer; waiting for it');
      failures += 1;
      await sleep(Math.min(RETRY_MS * failures, MAX_RETRY_MS), undefined, { signal }).catch(
        () => undefined,
      );
    }
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

function isDisconnected(error: unknown): boolean {
  return error instanceof CliError && error.exitCode === ExitCode.notRunning;
}
