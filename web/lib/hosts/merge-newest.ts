/** Lists of several hosts as one, by time. Pure. */

interface HostList<Item> {
  /** The newest first. */
  readonly items: readonly Item[];
  /** Nothing follows the last one. */
  readonly isComplete: boolean;
}

interface Merged<Item> {
  readonly items: readonly { readonly item: Item; readonly from: number }[];
  /** The list that has to be read further before the next one is known; null: all are listed. */
  readonly endedBy: number | null;
}

/**
 * The newest first, without changing the order of a list: clocks of hosts differ, and one can be set
 * back. It ends where an incomplete list does, since what follows there may be the next one. An item
 * without a time comes with the one after it.
 */
export function mergeNewest<Item>(
  lists: readonly HostList<Item>[],
  timeOf: (item: Item) => string | null,
): Merged<Item> {
  const places = lists.map(() => 0);
  const items: { item: Item; from: number }[] = [];
  for (;;) {
    let next: { item: Item; from: number; time: string | null } | null = null;
    for (const [from, { items: each, isComplete }] of lists.entries()) {
      const item = each[places[from] ?? 0];
      if (item === undefined) {
        if (!isComplete) return { items, endedBy: from };
        continue;
      }
      const time = timeOf(item);
      const isNewer = next === null || (next.time !== null && (time === null || time > next.time));
      if (isNewer) next = { item, from, time };
    }
    if (next === null) return { items, endedBy: null };
    items.push({ item: next.item, from: next.from });
    places[next.from] = (places[next.from] ?? 0) + 1;
  }
}
