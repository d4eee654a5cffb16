import type { AttentionItem } from '$shared/schema/attention.ts';
import type { EventRecord } from '$shared/schema/events.ts';
import { isRoutine } from '$shared/rules/is-routine.ts';
import type { Loop, Session } from '$shared/schema/model.ts';
import { EMPTY_INBOX, type Inbox } from './inbox.ts';

/** A loop with the time its numbers are from, in milliseconds. */
export interface LoopReading {
  readonly loop: Loop;
  readonly readAt: number;
}

/** All sessions, loops and recent events. */
export interface Fleet {
  readonly sessions: Readonly<Record<string, Session>>;
  readonly loops: Readonly<Record<string, LoopReading>>;
  readonly inbox: Inbox;
  /** Newest first, at most `RECENT_EVENTS`; without those that people need not see. */
  readonly events: readonly EventRecord[];
}

const RECENT_EVENTS = 50;

export const EMPTY_FLEET: Fleet = {
  sessions: {},
  loops: {},
  events: [],
  inbox: EMPTY_INBOX,
};

export function createFleet(
  sessions: readonly Session[],
  loops: readonly Loop[],
  open: readonly AttentionItem[],
  events: readonly EventRecord[],
  readAt: number,
): Fleet {
  return {
    sessions: Object.fromEntries(sessions.map((session) => [session.name, session])),
    loops: Object.fromEntries(loops.map((loop) => [loop.session_name, { loop, readAt }])),
    inbox: { ...EMPTY_INBOX, open },
    events: newestFirst(events),
  };
}

/**
 * `events` in any order, possibly with duplicates; returns at most `RECENT_EVENTS`, without
 * routine ones.
 */
export function newestFirst(events: readonly EventRecord[]): EventRecord[] {
  const shown = events.filter(({ type }) => !isRoutine(type));
  const bySeq = new Map(shown.map((event) => [event.seq, event]));
  return [...bySeq.values()].sort((a, b) => b.seq - a.seq).slice(0, RECENT_EVENTS);
}
