/** The events of a session's start and end. */
import type { EventDraft, SessionClosedReason } from '../../shared/schema/events/events.ts';
import type { Leftover } from '../../shared/schema/leftover.ts';
import type { TerminalEnd } from './session-owners.ts';
import type { StoredSession } from './session-store.ts';

export const CLOSED_REASON: Record<TerminalEnd, SessionClosedReason> = {
  closed: 'user_closed',
  lost: 'terminal_lost',
  requested: 'requested',
};

export function createdEvent(
  { name, cwd, terminal }: StoredSession,
  reopened: boolean,
  author?: string,
): EventDraft {
  const data = { cwd, terminal, reopened, author };
  return { type: 'session.created', session: name, data };
}

/** `leftovers` could not be ended with the terminal. */
export function closedEvent(
  name: string,
  reason: SessionClosedReason,
  { author, leftovers = [] }: { author?: string; leftovers?: readonly Leftover[] },
): EventDraft {
  const left = leftovers.length === 0 ? {} : { left: [...leftovers] };
  return { type: 'session.closed', session: name, data: { reason, author, ...left } };
}
