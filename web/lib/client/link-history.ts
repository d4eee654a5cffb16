/**
 * The state of the connection, derived from facts, and the summary shown once it is back. Pure:
 * `EventLink` reports the facts.
 */
import type { ResetReason } from '$shared/schema/events/cursor.ts';
import { isCurrent, type LinkState, type LinkStatus } from './link-status.ts';

export type LinkFact =
  /** A socket ended, or could not be opened; `refusedCode` when it must not be retried. */
  | { kind: 'broke'; refusedCode: number | null }
  /** The log ends at `head`; the page has seen up to `seen`. */
  | { kind: 'subscribed'; head: number; seen: number }
  /** Events arrived, or the daemon reported that there are none for the page up to `seen`. */
  | { kind: 'advanced'; events: number; seen: number }
  | { kind: 'polled'; head: number; seen: number }
  /** The cursor could not be used: the whole state was read again, as of `seen`. */
  | { kind: 'state_read'; reason: ResetReason; seen: number }
  | { kind: 'unreachable' }
  /** When the next attempt is made; null: now. */
  | { kind: 'waits'; until: number | null };

/** The summary shown when the page is up to date again after a break. */
export interface LinkUpdate {
  /** Events caught up with; null when the state was read again instead. */
  missed: number | null;
  /** Why it was read again. */
  reason: ResetReason | null;
}

export interface LinkHistory {
  status: LinkStatus;
  /** The end of the log when the page reconnected; it is live once it has seen that. */
  target: number | null;
  /** What was caught up with since the page was last current; null while it is, or never was. */
  gap: { missed: number; reason: ResetReason | null } | null;
}

/** The state of a page that was just opened; `nowMs` in milliseconds. */
export function initialLink(nowMs: number): LinkHistory {
  const status: LinkStatus = {
    state: 'connecting',
    since: nowMs,
    refusedCode: null,
    toCome: null,
    nextTryAt: null,
  };
  return { status, target: null, gap: null };
}

export function nextLink(
  history: LinkHistory,
  fact: LinkFact,
  nowMs: number,
): { history: LinkHistory; update: LinkUpdate | null } {
  switch (fact.kind) {
    case 'broke':
      return broken(history, fact.refusedCode, nowMs);
    case 'unreachable':
      return { history: left(history, 'offline', nowMs), update: null };
    case 'waits':
      return { history: withStatus(history, { nextTryAt: fact.until }), update: null };
    case 'subscribed': {
      // A cursor from the future is about to be refused.
      const target = fact.seen > fact.head ? Infinity : fact.head;
      return caughtUp({ ...history, target }, 'live', fact.seen, nowMs);
    }
    case 'advanced':
      return caughtUp(counted(history, fact.events), 'live', fact.seen, nowMs);
    case 'polled': {
      const next = caughtUp({ ...history, target: fact.head }, 'polling', fact.seen, nowMs);
      // The next page reports the end of the log again.
      return { ...next, history: { ...next.history, target: null } };
    }
    case 'state_read': {
      const gap = { missed: 0, reason: fact.reason };
      const target = history.target === null ? null : fact.seen;
      return caughtUp({ ...history, gap, target }, 'live', fact.seen, nowMs);
    }
  }
}

function broken(history: LinkHistory, refusedCode: number | null, nowMs: number) {
  const isLive = history.status.state === 'live';
  const next = isLive ? left(history, 'resuming', nowMs) : { ...history, target: null };
  const refused = refusedCode === null ? {} : { refusedCode };
  return { history: withStatus(next, { toCome: null, ...refused }), update: null };
}

/** The page is no longer current. */
function left(history: LinkHistory, state: LinkState, nowMs: number): LinkHistory {
  const gap = isCurrent(history.status.state) ? { missed: 0, reason: null } : history.gap;
  return entered({ ...history, gap, target: null }, state, nowMs);
}

function counted(history: LinkHistory, events: number): LinkHistory {
  const { gap } = history;
  return gap === null ? history : { ...history, gap: { ...gap, missed: gap.missed + events } };
}

/** Enters `state` once everything up to the target was seen, and summarizes what that was. */
function caughtUp(history: LinkHistory, state: LinkState, seen: number, nowMs: number) {
  const { target, gap, status } = history;
  if (target === null) return { history, update: null };
  if (seen < target) {
    // A page that was current, or never was, shows no summary for a few pending events.
    if (gap === null || isCurrent(status.state)) return { history, update: null };
    const toCome = Number.isFinite(target) ? target - seen : null;
    return { history: withStatus(entered(history, 'resuming', nowMs), { toCome }), update: null };
  }
  const next = entered({ ...history, target: null, gap: null }, state, nowMs);
  const update = gap && { missed: gap.reason === null ? gap.missed : null, reason: gap.reason };
  return { history: withStatus(next, { toCome: null }), update };
}

function entered(history: LinkHistory, state: LinkState, nowMs: number): LinkHistory {
  if (history.status.state === state) return history;
  const isLive = state === 'live';
  const more = isLive ? { nextTryAt: null, refusedCode: null } : {};
  return withStatus(history, { state, since: nowMs, toCome: null, ...more });
}

function withStatus(history: LinkHistory, change: Partial<LinkStatus>): LinkHistory {
  const isSame = Object.entries(change).every(
    ([key, value]) => history.status[key as keyof LinkStatus] === value,
  );
  return isSame ? history : { ...history, status: { ...history.status, ...change } };
}
