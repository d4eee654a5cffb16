import type { AttentionItem } from '$shared/schema/attention/attention.ts';
import type { EventRecord } from '$shared/schema/events/events.ts';
import { isRoutine } from '$shared/rules/events/is-routine.ts';
import type { Loop, Session } from '$shared/schema/model.ts';
import { EMPTY_INBOX, type Inbox } from './inbox.ts';

/** A loop with the time its numbers are from, in milliseconds. */
export interface LoopReading {
  readonly loop: Loop;
  readonly readAt: number;
}

/** All sessions, loops and recent events. */
export interface LiveWork {
  readonly sessions: Readonly<Record<string, Session>>;
  readonly loops: Readonly<Record<string, LoopReading>>;
  readonly inbox: Inbox;
  /** Newest first, at most `RECENT_EVENTS`; without those that people need not see. */
  readonly events: readonly EventRecord[];
}

const RECENT_EVENTS = 50;

export const EMPTY_WORK: LiveWork = {
  sessions: {},
  loops: {},
  events: [],
  inbox: EMPTY_INBOX,
};

export function createLiveWork(
  sessions: readonly Session[],
  loops: readonly Loop[],
  open: readonly AttentionItem[],
  events: readonly EventRecord[],
  readAt: number,
): LiveWork {
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
  const sorted = [...bySeq.values()].sort((a, b) => b.seq - a.seq);
  return sorted
    .filter((event, place) => !isRepeated(event, sorted.slice(place + 1)))
    .slice(0, RECENT_EVENTS);
}

/** A found session at work reports that once a minute, which would push out all other events. */
function isRepeated(event: EventRecord, older: readonly EventRecord[]): boolean {
  if (event.type !== 'found.changed') return false;
  const before = older.find(
    ({ subject }) => subject.kind === 'found' && subject.id === event.subject.id,
  );
  if (before?.type !== 'found.changed' && before?.type !== 'found.appeared') return false;
  const { agent: was } = before.data;
  const { agent: is } = event.data;
  return was.state === is.state && was.cause === is.cause && was.since === is.since;
}
