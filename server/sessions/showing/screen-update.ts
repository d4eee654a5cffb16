/** The change that turns a viewer's snapshot into the current one. Pure. */
import type { ScreenSnapshot } from '../../terminals/terminal.ts';

export interface ScreenUpdate {
  rev: number;
  cols: number;
  rows: number;
  cursor: [number, number];
  /** Row number → text; all rows when `full`. */
  lines: Record<string, string>;
  full: boolean;
}

export type Snapshot = Pick<ScreenSnapshot, 'cols' | 'rows' | 'cursor' | 'lines'>;

/** All rows when the previous snapshot is null or of another size. */
export function screenUpdate(
  snapshot: Snapshot,
  before: Snapshot | null,
  rev: number,
): ScreenUpdate {
  const { cols, rows, cursor } = snapshot;
  const full = before === null || before.cols !== cols || before.rows !== rows;
  const changed = snapshot.lines
    .map((line, row) => [String(row), line] as const)
    .filter(([row, line]) => full || before.lines[Number(row)] !== line);
  return { rev, cols, rows, cursor, lines: Object.fromEntries(changed), full };
}
