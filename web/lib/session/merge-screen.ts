import type { ScreenFrame } from '$lib/client/link-news.ts';
import type { Screen } from '$shared/schema/model.ts';

export interface Snapshot {
  readonly cols: number;
  readonly rows: number;
  readonly cursor: readonly [number, number];
  readonly lines: readonly string[];
}

type Change = Extract<ScreenFrame, { type: 'screen' }>;

/**
 * The new snapshot, or null when the change does not fit: without a full snapshot before it, rows
 * would be missing.
 */
export function mergeScreen(snapshot: Snapshot | null, change: Change): Snapshot | null {
  if (snapshot === null && !change.full) return null;
  const { cols, rows, cursor } = change;
  const before = change.full ? [] : (snapshot?.lines ?? []);
  const lines = Array.from({ length: rows }, (_, row) => change.lines[row] ?? before[row] ?? '');
  return { cols, rows, cursor, lines };
}

export function toScreen({ cols, rows, cursor, lines }: Screen): Snapshot {
  return { cols, rows, cursor, lines };
}
