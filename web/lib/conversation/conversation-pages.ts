/** The shown part of a conversation: interactions without gaps. Pure. */
import type { WorkPhase } from '$shared/schema/runs/run-phase.ts';
import type { Interaction } from '$shared/schema/tasks/interaction.ts';

/** Of a task, or of one phase of a run. */
export type Entry = Interaction & { phase?: WorkPhase };

/** A part of a conversation as the daemon sends it. */
export interface ConversationPage {
  /** Oldest first. */
  entries: readonly Entry[];
  total: number;
  /** Send as `after` for the next page; null at the end. */
  next: number | null;
  /** Send as `before` for the previous page; null at the beginning. */
  previous: number | null;
}

export interface ConversationPart {
  /** Oldest first. */
  entries: readonly Entry[];
  /** The next earlier page ends before this id; null at the beginning. */
  before: number | null;
  /** Total interactions, as last reported. */
  total: number;
}

export const EMPTY_PART: ConversationPart = { entries: [], before: null, total: 0 };

/** Entries kept in the page while the end is followed. */
export const KEPT_ENTRIES = 1000;

export function newestPart(page: ConversationPage): ConversationPart {
  return { entries: page.entries, before: page.previous, total: page.total };
}

/** `page` must end where `part` begins. */
export function withEarlier(part: ConversationPart, page: ConversationPage): ConversationPart {
  const [first] = part.entries;
  const earlier = page.entries.filter(({ id }) => first === undefined || id < first.id);
  return { entries: [...earlier, ...part.entries], before: page.previous, total: page.total };
}

/**
 * Appends a later page. While the end is followed, entries far above are dropped; they can be read
 * again.
 */
export function withLater(
  part: ConversationPart,
  page: ConversationPage,
  isAtEnd: boolean,
): ConversationPart {
  const last = part.entries.at(-1)?.id ?? 0;
  const entries = [...part.entries, ...page.entries.filter(({ id }) => id > last)];
  const before = part.entries.length === 0 ? page.previous : part.before;
  if (!isAtEnd || entries.length <= KEPT_ENTRIES) return { entries, before, total: page.total };
  const kept = entries.slice(-KEPT_ENTRIES);
  return { entries: kept, before: kept[0]?.id ?? before, total: page.total };
}
