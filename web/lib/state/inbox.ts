/** The inbox, and the items that ended while this page was open. Pure. */
import type { AttentionItem } from '$shared/schema/attention/attention.ts';
import type { EventData } from '$shared/schema/events/events.ts';
import type { Subject } from '$shared/schema/events/subject.ts';

export interface Inbox {
  /** Open items, oldest first. */
  readonly open: readonly AttentionItem[];
  /** Items that ended while this page was open, the last one first. */
  readonly cleared: readonly AttentionItem[];
  /** Items missing from a newer list whose end is not reported yet. */
  readonly leaving: readonly AttentionItem[];
}

export const EMPTY_INBOX: Inbox = { open: [], cleared: [], leaving: [] };

/** Enough: the list of closed items holds them all. */
const KEPT = 30;

/** Applies a newer list of open items; missing ones wait for the event of their end. */
export function withOpenItems(inbox: Inbox, open: readonly AttentionItem[]): Inbox {
  const isOpen = new Set(open.map(({ id }) => id));
  const isCleared = new Set(inbox.cleared.map(({ id }) => id));
  const leaving = [...inbox.open, ...inbox.leaving].filter(
    ({ id }) => !isOpen.has(id) && !isCleared.has(id),
  );
  return {
    // The list can be older than the event that one of its items ended.
    open: open.filter(({ id }) => !isCleared.has(id)),
    cleared: inbox.cleared,
    leaving: leaving.slice(0, KEPT),
  };
}

/** Applies a newer list of the open items of one subject. */
export function withItemsOf(
  inbox: Inbox,
  { subject, items }: { subject: Subject; items: readonly AttentionItem[] },
): Inbox {
  const others = inbox.open.filter(
    (item) => item.subject.kind !== subject.kind || item.subject.id !== subject.id,
  );
  const open = [...others, ...items].sort((a, b) => a.raised_at.localeCompare(b.raised_at));
  return withOpenItems(inbox, open);
}

/** Applies the event of an item's end. */
export function withClearing(
  inbox: Inbox,
  { id, outcome, by, answer }: EventData<'attention.cleared'>,
  cleared_at: string,
): Inbox {
  const item = [...inbox.open, ...inbox.leaving].find((one) => one.id === id);
  return item === undefined
    ? inbox
    : withCleared(inbox, { ...item, cleared_at, outcome, by, answer });
}

/** Applies a closed item as read from the daemon. */
export function withCleared(inbox: Inbox, item: AttentionItem): Inbox {
  const isOther = ({ id }: AttentionItem): boolean => id !== item.id;
  return {
    open: inbox.open.filter(isOther),
    cleared: [{ ...item, request: null }, ...inbox.cleared.filter(isOther)].slice(0, KEPT),
    leaving: inbox.leaving.filter(isOther),
  };
}

/** The item that a person answered or dismissed last, or null. */
export function lastSettled({ cleared }: Inbox): AttentionItem | null {
  return cleared.find(({ by }) => by !== null) ?? null;
}
