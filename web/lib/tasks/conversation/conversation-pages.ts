/** The part of a conversation that is shown: a run of interactions without a hole. Pure. */
import type {
  Conversation as ConversationPage,
  Interaction,
} from '$shared/schema/tasks/interaction.ts';

export interface ConversationPart {
  /** Oldest first. */
  entries: readonly Interaction[];
  /** Before which id the next earlier page ends; null at the beginning. */
  before: number | null;
  /** Interactions there are in all, as last heard. */
  total: number;
}

export const EMPTY_PART: ConversationPart = { entries: [], before: null, total: 0 };

/** Of a conversation that is followed at its end, so many stay in the page. */
export const KEPT_ENTRIES = 1000;

/** Takes a page of the daemon; gives its interactions, those of its groups one by one. */
function entriesOf({ conversation }: ConversationPage): Interaction[] {
  return conversation.flatMap((entry) => (entry.type === 'tool_group' ? entry.tools : [entry]));
}

/** Takes the newest page; gives the part that begins with it. */
export function newestPart(page: ConversationPage): ConversationPart {
  return { entries: entriesOf(page), before: page.previous, total: page.total };
}

/** Takes a part and the page that ends where it begins; gives both together. */
export function withEarlier(part: ConversationPart, page: ConversationPage): ConversationPart {
  const [first] = part.entries;
  const earlier = entriesOf(page).filter(({ id }) => first === undefined || id < first.id);
  return { entries: [...earlier, ...part.entries], before: page.previous, total: page.total };
}

/**
 * Takes a part, a page of what came after it, and whether its end is looked at; gives both together.
 * Where nobody reads what is far above, it is let go and can be read again.
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
