/**
 * The state of the connection, derived from facts, and the summary shown once it is back. Pure:
 * `EventLink` reports the facts.
 */
import type { ResetReason } from '$shared/schema/cursor.ts';
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
  | { kind: 'read_anew'; reason: ResetReason; seen: number }
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
  story: LinkHistory,
  fact: LinkFact,
  nowMs: number,
): { story: LinkHistory; news: LinkUpdate | null } {
  switch (fact.kind) {
    case 'broke':
      return broken(story, fact.refusedCode, nowMs);
    case 'unreachable':
      return { story: left(story, 'offline', nowMs), news: null };
    case 'waits':
      return { story: withStatus(story, { nextTryAt: fact.until }), news: null };
    case 'subscribed': {
      // A cursor from the future is about to be refused.
      const target = fact.seen > fact.head ? Infinity : fact.head;
      return caughtUp({ ...story, target }, 'live', fact.seen, nowMs);
    }
    case 'advanced':
      return caughtUp(counted(story, fact.events), 'live', fact.seen, nowMs);
    case 'polled': {
      const next = caughtUp({ ...story, target: fact.head }, 'polling', fact.seen, nowMs);
      // The next page reports the end of the log again.
      return { ...next, story: { ...next.story, target: null } };
    }
    case 'read_anew': {
      const gap = { missed: 0, reason: fact.reason };
      const target = story.target === null ? null : fact.seen;
      return caughtUp({ ...story, gap, target }, 'live', fact.seen, nowMs);
    }
  }
}

function broken(story: LinkHistory, refusedCode: number | null, nowMs: number) {
  const isLive = story.status.state === 'live';
  const next = isLive ? left(story, 'resuming', nowMs) : { ...story, target: null };
  const refused = refusedCode === null ? {} : { refusedCode };
  return { story: withStatus(next, { toCome: null, ...refused }), news: null };
}

/** The page is no longer current. */
function left(story: LinkHistory, state: LinkState, nowMs: number): LinkHistory {
  const gap = isCurrent(story.status.state) ? { missed: 0, reason: null } : story.gap;
  return entered({ ...story, gap, target: null }, state, nowMs);
}

function counted(story: LinkHistory, events: number): LinkHistory {
  const { gap } = story;
  return gap === null ? story : { ...story, gap: { ...gap, missed: gap.missed + events } };
}

/** Enters `state` once everything up to the target was seen, and summarizes what that was. */
function caughtUp(story: LinkHistory, state: LinkState, seen: number, nowMs: number) {
  const { target, gap, status } = story;
  if (target === null) return { story, news: null };
  if (seen < target) {
    // A page that was current, or never was, shows no summary for a few pending events.
    if (gap === null || isCurrent(status.state)) return { story, news: null };
    const toCome = Number.isFinite(target) ? target - seen : null;
    return { story: withStatus(entered(story, 'resuming', nowMs), { toCome }), news: null };
  }
  const next = entered({ ...story, target: null, gap: null }, state, nowMs);
  const news = gap && { missed: gap.reason === null ? gap.missed : null, reason: gap.reason };
  return { story: withStatus(next, { toCome: null }), news };
}

function entered(story: LinkHistory, state: LinkState, nowMs: number): LinkHistory {
  if (story.status.state === state) return story;
  const isLive = state === 'live';
  const more = isLive ? { nextTryAt: null, refusedCode: null } : {};
  return withStatus(story, { state, since: nowMs, toCome: null, ...more });
}

function withStatus(story: LinkHistory, change: Partial<LinkStatus>): LinkHistory {
  const isSame = Object.entries(change).every(
    ([key, value]) => story.status[key as keyof LinkStatus] === value,
  );
  return isSame ? story : { ...story, status: { ...story.status, ...change } };
}
