/**
 * What the list of events holds, as a pure value: one window of the log without a hole, and beside
 * it what came while somebody looked elsewhere. Nothing is dropped without the window saying where
 * it ends, so that the rest can be read from the log.
 */
import type { EventRecord } from '$shared/schema/events.ts';

export type EventRow =
  | { readonly kind: 'event'; readonly seq: number; readonly event: EventRecord }
  /** A place behind which the stream did not go on by itself, with why. */
  | { readonly kind: 'break'; readonly seq: number; readonly text: string };

export interface EventWindow {
  /** Newest first: all selected events above `low` and up to `high`. */
  readonly rows: readonly EventRow[];
  readonly low: number;
  readonly high: number;
  /** New events go to the top at once. */
  readonly isFollowing: boolean;
  /** Newest first: what came while paused, all of it above `heldAfter`. */
  readonly held: readonly EventRow[];
  readonly heldAfter: number;
  /** How many came while paused, also those no longer held. */
  readonly heldCount: number;
  /** The newest event that was heard of, selected or not. */
  readonly heard: number;
}

/** Rows in the page, and rows held beside it: more than anybody scrolls through at once. */
export const KEPT_ROWS = 500;

/** Before anything was read: what is heard is held until it is known where the window begins. */
export const EMPTY_WINDOW: EventWindow = {
  rows: [],
  low: 0,
  high: 0,
  isFollowing: false,
  held: [],
  heldAfter: 0,
  heldCount: 0,
  heard: 0,
};

/** Takes what was heard so far and the head of the log; gives the window that begins there. */
export function beginAt(window: EventWindow, head: number): EventWindow {
  const heard = Math.max(window.heard, head);
  return resume({ ...window, rows: [], low: head, high: head, heard });
}

/** Takes the head of the log and events around a place in it, oldest first; gives a window that stands there. */
export function standAt(
  window: EventWindow,
  head: number,
  { events, low, high }: { events: readonly EventRecord[]; low: number; high: number },
): EventWindow {
  const held = window.held.filter(({ seq }) => seq > Math.max(head, high));
  const rows = events.map(rowOf).reverse();
  const heldAfter = Math.max(head, high);
  const heard = Math.max(window.heard, heldAfter);
  return { rows, low, high, isFollowing: false, held, heldAfter, heldCount: held.length, heard };
}

/** Takes selected events, oldest first, and the newest seq heard; gives the window after them. */
export function hear(window: EventWindow, events: readonly EventRecord[], newest: number) {
  const fresh = events.filter(({ seq }) => seq > window.heard).map(rowOf);
  const heard = Math.max(window.heard, newest);
  return window.isFollowing
    ? showOnTop({ ...window, heard }, fresh, heard)
    : holdBack({ ...window, heard }, fresh);
}

/** Lets the list stand still; what comes is held and counted. */
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
 * Goes on with the newest events. Where more came than was held, or the window had been moved down,
 * the rest lies below the new window, to be read from the log.
 */
export function resume(window: EventWindow): EventWindow {
  const { heard, held, heldAfter } = window;
  const following = { ...window, isFollowing: true, held: [], heldCount: 0, high: heard };
  if (heldAfter > window.high) return capBelow({ ...following, rows: held, low: heldAfter });
  const fresh = held.filter(({ kind, seq }) => kind === 'break' || seq > window.high);
  return capBelow({ ...following, rows: [...fresh, ...window.rows] });
}

/** Tells whether newer events lie between the window and what was held. */
export function isDetached({ isFollowing, heldAfter, high }: EventWindow): boolean {
  return !isFollowing && heldAfter > high;
}

/** Takes selected events below the window, oldest first, and down to where it reaches now. */
export function addOlder(window: EventWindow, events: readonly EventRecord[], low: number) {
  const rows = [...window.rows, ...events.map(rowOf).reverse()];
  // Whoever follows the newest keeps them; whoever looks back goes down.
  if (window.isFollowing) return capBelow({ ...window, rows, low });
  if (rows.length <= KEPT_ROWS) return { ...window, rows, low };
  const kept = rows.slice(-KEPT_ROWS);
  return { ...window, rows: kept, low, high: kept[0]?.seq ?? low };
}

/** Takes selected events above a paused window, oldest first, and up to where it reaches now. */
export function addNewer(window: EventWindow, events: readonly EventRecord[], high: number) {
  const rows = [...events.map(rowOf).reverse(), ...window.rows];
  const next = capBelow({ ...window, rows, high });
  if (isDetached(next)) return next;
  // What was read is not new any more.
  const held = next.held.filter(({ seq }) => seq > high);
  return { ...next, held, heldAfter: high, heldCount: held.length };
}

/** Takes the head from which on events are told again, and why some were not; the log has the rest. */
export function breakOff(window: EventWindow, head: number, text: string): EventWindow {
  const line: EventRow = { kind: 'break', seq: head, text };
  const passedOver = Math.max(0, head - window.heard);
  const heard = Math.max(window.heard, head);
  if (window.isFollowing) return { ...window, rows: [line], low: head, high: head, heard };
  const heldCount = window.heldCount + passedOver;
  return { ...window, held: [line], heldAfter: head, heldCount, heard };
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

/** Lets go of the oldest rows; the window ends above them. */
function capBelow(window: EventWindow): EventWindow {
  if (window.rows.length <= KEPT_ROWS) return window;
  const rows = window.rows.slice(0, KEPT_ROWS);
  return { ...window, rows, low: lastOf(rows) - 1 };
}

function lastOf(rows: readonly EventRow[]): number {
  return rows.at(-1)?.seq ?? 1;
}
