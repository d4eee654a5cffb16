import type { HistoryUnit } from '$shared/schema/events/history.ts';

/** A list and what follows it; a unit that is in both is as the first one says. */
export function joinPages(
  newer: readonly HistoryUnit[],
  older: readonly HistoryUnit[],
): HistoryUnit[] {
  const known = new Set(newer.map(({ id }) => id));
  return [...newer, ...older.filter(({ id }) => !known.has(id))];
}
