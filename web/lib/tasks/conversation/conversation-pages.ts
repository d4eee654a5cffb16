/** The shown part of a conversation: interactions without gaps. Pure. */
import type {
  Conversation as ConversationPage,
  Interaction,
} from '$shared/schema/tasks/interaction.ts';

export interface ConversationPart {
  /** Oldest first. */
  entries: readonly Interaction[];
  /** The next earlier page ends before this id; null at the beginning. */
  before: number | null;
  /** Total interactions, as last reported. */
  total: number;
}

export const EMPTY_PART: ConversationPart = { entries: [], before: null, total: 0 };

/** Entries kept in the page while the end is followed. */
export const KEPT_ENTRIES = 1000;

/** Groups are expanded into their interactions. */
function entriesOf({ conversation }: ConversationPage): Interaction[] {
  return conversation.flatMap((entry) => (entry.type === 'tool_group' ? entry.tools : [entry]));
}

export function newestPart(page: ConversationPage): ConversationPart {
  return { entries: entriesOf(page), before: page.previous, total: page.total };
}

/** `page` must end where `part` begins. */
export function withEarlier(part: ConversationPart, page: ConversationPage): ConversationPart {
  const [first] = part.entries;
  const earlier = entriesOf(page).filter(({ id }) => first === undefined || id < first.id);
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
  const entries = [...part.entries, ...entriesOf(page).filter(({ id }) => id > last)];
  const before = part.entries.length === 0 ? page.previous : part.before;
  if (!isAtEnd || entries.length <= KEPT_ENTRIES) return { entries, before, total: page.total };
  const kept = entries.slice(-KEPT_ENTRIES);
  return { entries: kept, before: kept[0]?.id ?? before, total: page.total };
}
