/**
 * The content of the event list as a pure value: one window of the log without gaps, plus the
 * events held while paused. The window always records where it ends, so that dropped events can be
 * read from the log.
 */
import type { EventRecord } from '$shared/schema/events/events.ts';

export type EventRow =
  | { readonly kind: 'event'; readonly seq: number; readonly event: EventRecord }
  /** A place where the stream was interrupted, and why. */
  | { readonly kind: 'break'; readonly seq: number; readonly text: string };

export interface EventWindow {
  /** Newest first: all selected events above `low` and up to `high`. */
  readonly rows: readonly EventRow[];
  readonly low: number;
  readonly high: number;
  /** New events go to the top at once. */
  readonly isFollowing: boolean;
  /** Newest first: what arrived while paused, all above `heldAfter`. */
  readonly held: readonly EventRow[];
  readonly heldAfter: number;
  /** How many arrived while paused, including those no longer held. */
  readonly heldCount: number;
  /** The newest received seq, selected or not. */
  readonly newestSeen: number;
}

/** Maximum rows in the page, and maximum held rows: more than anyone scrolls through at once. */
export const KEPT_ROWS = 500;

/** Before the first read: events are held until it is known where the window begins. */
export const EMPTY_WINDOW: EventWindow = {
  rows: [],
  low: 0,
  high: 0,
  isFollowing: false,
  held: [],
  heldAfter: 0,
  heldCount: 0,
  newestSeen: 0,
};

/** A window that begins at the head of the log, with the events held so far. */
export function beginAt(window: EventWindow, head: number): EventWindow {
  const newestSeen = Math.max(window.newestSeen, head);
  return resume({ ...window, rows: [], low: head, high: head, newestSeen });
}

/** A paused window at a place in the log; `events` oldest first. */
export function openAt(
  window: EventWindow,
  head: number,
  { events, low, high }: { events: readonly EventRecord[]; low: number; high: number },
): EventWindow {
  const held = window.held.filter(({ seq }) => seq > Math.max(head, high));
  const rows = events.map(rowOf).reverse();
  const heldAfter = Math.max(head, high);
  const newestSeen = Math.max(window.newestSeen, heldAfter);
  return {
    rows,
    low,
    high,
    isFollowing: false,
    held,
    heldAfter,
    heldCount: held.length,
    newestSeen,
  };
}

/** `events` are the selected ones, oldest first; `newest` is the newest seq received. */
export function receive(window: EventWindow, events: readonly EventRecord[], newest: number) {
  const fresh = events.filter(({ seq }) => seq > window.newestSeen).map(rowOf);
  const newestSeen = Math.max(window.newestSeen, newest);
  return window.isFollowing
    ? showOnTop({ ...window, newestSeen }, fresh, newestSeen)
    : holdBack({ ...window, newestSeen }, fresh);
}

/** Pauses the list; new events are held and counted. */
export function pause(window: EventWindow): EventWindow {
  if (!window.isFollowing) return window;
  return {
    ...window,
    isFollowing: false,
    held: [],
    heldAfter: window.high,
    heldCount: 0,
  };
}

/**
 * Continues with the newest events. If more arrived than were held, or the window had moved down,
 * the rest lies below the new window, to be read from the log.
 */
export function resume(window: EventWindow): EventWindow {
  const { newestSeen, held, heldAfter } = window;
  const following = { ...window, isFollowing: true, held: [], heldCount: 0, high: newestSeen };
  if (heldAfter > window.high) return capBelow({ ...following, rows: held, low: heldAfter });
  const fresh = held.filter(({ kind, seq }) => kind === 'break' || seq > window.high);
  return capBelow({ ...following, rows: [...fresh, ...window.rows] });
}

/** Whether newer events lie between the window and the held ones. */
export function isDetached({ isFollowing, heldAfter, high }: EventWindow): boolean {
  return !isFollowing && heldAfter > high;
}

/** `events` are the selected ones below the window, oldest first; `low` is its new lower end. */
export function addOlder(window: EventWindow, events: readonly EventRecord[], low: number) {
  const rows = [...window.rows, ...events.map(rowOf).reverse()];
  // A live list keeps the newest rows; a paused one moves down.
  if (window.isFollowing) return capBelow({ ...window, rows, low });
  if (rows.length <= KEPT_ROWS) return { ...window, rows, low };
  const kept = rows.slice(-KEPT_ROWS);
  return { ...window, rows: kept, low, high: kept[0]?.seq ?? low };
}

/** `events` are selected ones above a paused window, oldest first; `high` is its new upper end. */
export function addNewer(window: EventWindow, events: readonly EventRecord[], high: number) {
  const rows = [...events.map(rowOf).reverse(), ...window.rows];
  const next = capBelow({ ...window, rows, high });
  if (isDetached(next)) return next;
  // Events that were read are no longer held.
  const held = next.held.filter(({ seq }) => seq > high);
  return { ...next, held, heldAfter: high, heldCount: held.length };
}

/** The stream resumes after `head`, with a break shown as `text`; the log has the rest. */
export function breakOff(window: EventWindow, head: number, text: string): EventWindow {
  const line: EventRow = { kind: 'break', seq: head, text };
  const skipped = Math.max(0, head - window.newestSeen);
  const newestSeen = Math.max(window.newestSeen, head);
  if (window.isFollowing) return { ...window, rows: [line], low: head, high: head, newestSeen };
  const heldCount = window.heldCount + skipped;
  return { ...window, held: [line], heldAfter: head, heldCount, newestSeen };
}

function rowOf(event: EventRecord): EventRow {
  return { kind: 'event', seq: event.seq, event };
}

function showOnTop(window: EventWindow, fresh: readonly EventRow[], high: number): EventWindow {
  if (fresh.length === 0) return { ...window, high };
  return capBelow({ ...window, high, rows: [...fresh.toReversed(), ...window.rows] });
}

function holdBack(window: EventWindow, fresh: readonly EventRow[]): EventWindow {
  const held = [...fresh.toReversed(), ...window.held];
  const heldCount = window.heldCount + fresh.length;
  if (held.length <= KEPT_ROWS) return { ...window, held, heldCount };
  const kept = held.slice(0, KEPT_ROWS);
  return { ...window, held: kept, heldAfter: lastOf(kept) - 1, heldCount };
}

/** Drops the oldest rows; the window then ends above them. */
function capBelow(window: EventWindow): EventWindow {
  if (window.rows.length <= KEPT_ROWS) return window;
  const rows = window.rows.slice(0, KEPT_ROWS);
  return { ...window, rows, low: lastOf(rows) - 1 };
}

function lastOf(rows: readonly EventRow[]): number {
  return rows.at(-1)?.seq ?? 1;
}
