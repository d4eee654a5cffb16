/** What the inbox shows: open items, and for a moment those that just ended. Pure. */
import type { Inbox } from '$lib/state/inbox.ts';
import { keyOfHost } from '$lib/state/host-path.ts';
import type { AttentionItem } from '$shared/schema/attention/attention.ts';

/** How long an ended item stays in place, and one that a person tried to answer. */
const STAYS_MS = 8_000;
const LATE_STAYS_MS = 30_000;

/** The items of one session, task or run. */
export interface InboxGroup extends Pick<
  AttentionItem,
  'session' | 'task' | 'subject' | 'run_title'
> {
  /** Unique among all hosts. */
  key: string;
  /** Another host than that of the page. */
  host: string | null;
  items: AttentionItem[];
}

/**
 * The longest waiting session or task first, each with its items, oldest first. `nowMs` in
 * milliseconds since 1970; `late`: ids of items that were answered too late on this page.
 */
export function inboxGroups(
  { open, cleared }: Inbox,
  nowMs: number,
  late: readonly string[],
  host: string | null = null,
): InboxGroup[] {
  const leaving = cleared.filter(({ id, cleared_at }) => {
    const staysMs = late.includes(id) ? LATE_STAYS_MS : STAYS_MS;
    return cleared_at !== null && nowMs - Date.parse(cleared_at) < staysMs;
  });
  const items = [...open, ...leaving].sort(inOrder);
  const groups = new Map<string, InboxGroup>();
  for (const item of items) {
    const { session, task, subject, run_title } = item;
    const whom = `${subject.kind}:${subject.id}`;
    const before = groups.get(whom)?.items ?? [];
    const key = keyOfHost(host, whom);
    const about = { session, task, subject, ...(run_title === undefined ? {} : { run_title }) };
    groups.set(whom, { ...about, key, host, items: [...before, item] });
  }
  return [...groups.values()];
}

/** The groups of several hosts as one list, by the first item of each. */
export function mergeGroups(ofHosts: readonly (readonly InboxGroup[])[]): readonly InboxGroup[] {
  const [only, ...others] = ofHosts;
  if (only === undefined || others.length === 0) return only ?? [];
  return ofHosts.flat().sort((a, b) => {
    const [one, other] = [a.items[0], b.items[0]];
    return one === undefined || other === undefined ? 0 : inOrder(one, other);
  });
}

/** What was escalated is first, then what waits longest. */
function inOrder(a: AttentionItem, b: AttentionItem): number {
  const rank = ({ escalated_at: at }: AttentionItem): number => (at === undefined ? 1 : 0);
  return rank(a) - rank(b) || a.raised_at.localeCompare(b.raised_at);
}

/** The next open item, else the previous one, else null. */
export function neighbourOf(groups: readonly InboxGroup[], id: string): AttentionItem | null {
  const items = groups.flatMap((group) => group.items);
  const place = items.findIndex((item) => item.id === id);
  const isOpen = (item: AttentionItem): boolean => item.cleared_at === null && item.id !== id;
  return items.slice(place + 1).find(isOpen) ?? items.slice(0, place).findLast(isOpen) ?? null;
}
