/** Where a person is needed, and what became of it while this page was open. Pure. */
import type { AttentionItem } from '$shared/schema/attention.ts';
import type { EventData } from '$shared/schema/events.ts';

export interface Inbox {
  /** Open items, oldest first. */
  readonly open: readonly AttentionItem[];
  /** Items whose end this page has heard of, the last one first. */
  readonly cleared: readonly AttentionItem[];
  /** Items that a newer list left out and whose end was not heard of yet. */
  readonly parting: readonly AttentionItem[];
}

export const EMPTY_INBOX: Inbox = { open: [], cleared: [], parting: [] };

/** As many as can be of use: the settled list holds them all. */
const KEPT = 30;

/** Takes what is open by a newer list; what it leaves out waits for the word how it ended. */
export function withOpenItems(inbox: Inbox, open: readonly AttentionItem[]): Inbox {
  const isOpen = new Set(open.map(({ id }) => id));
  const isCleared = new Set(inbox.cleared.map(({ id }) => id));
  const parting = [...inbox.open, ...inbox.parting].filter(
    ({ id }) => !isOpen.has(id) && !isCleared.has(id),
  );
  return {
    // The list can be older than the word that one of its items is over.
    open: open.filter(({ id }) => !isCleared.has(id)),
    cleared: inbox.cleared,
    parting: parting.slice(0, KEPT),
  };
}

/** Takes the event of an item's end; gives the inbox after it. */
export function withClearing(
  inbox: Inbox,
  { id, outcome, by, answer }: EventData<'attention.cleared'>,
  cleared_at: string,
): Inbox {
  const item = [...inbox.open, ...inbox.parting].find((one) => one.id === id);
  return item === undefined
    ? inbox
    : withCleared(inbox, { ...item, cleared_at, outcome, by, answer });
}

/** Takes an item that is over, as the daemon has it; gives the inbox without it among the open. */
export function withCleared(inbox: Inbox, item: AttentionItem): Inbox {
  const isOther = ({ id }: AttentionItem): boolean => id !== item.id;
  return {
    open: inbox.open.filter(isOther),
    cleared: [{ ...item, request: null }, ...inbox.cleared.filter(isOther)].slice(0, KEPT),
    parting: inbox.parting.filter(isOther),
  };
}

/** Takes the inbox; gives the item that a person answered or dismissed last, or null. */
export function lastSettled({ cleared }: Inbox): AttentionItem | null {
  return cleared.find(({ by }) => by !== null) ?? null;
}
