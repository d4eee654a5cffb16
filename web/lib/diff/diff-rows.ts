/** The lines of a unified diff as rows: one cell each, or the file before and after side by side. Pure. */
import type { PatchLine } from './parse-patch.ts';

export const LAYOUTS = ['unified', 'split'] as const;
export type Layout = (typeof LAYOUTS)[number];

/** One cell is as wide as the row; of two, the left one is before the change. Null is empty. */
export type DiffRow<Line> = readonly [Line] | readonly [left: Line | null, right: Line | null];

/** Side by side, removed lines share rows with the added ones that follow them, in their order. */
export function diffRows<Line extends PatchLine>(
  lines: readonly Line[],
  layout: Layout,
): DiffRow<Line>[] {
  if (layout === 'unified') return lines.map((line) => [line]);
  const rows: DiffRow<Line>[] = [];
  let removed: Line[] = [];
  let added: Line[] = [];
  const flush = (): void => {
    for (let place = 0; place < Math.max(removed.length, added.length); place += 1)
      rows.push([removed[place] ?? null, added[place] ?? null]);
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.kind === 'removed') {
      if (added.length > 0) flush();
      removed.push(line);
    } else if (line.kind === 'added') {
      added.push(line);
    } else {
      flush();
      rows.push(line.kind === 'same' ? [line, line] : [line]);
    }
  }
  flush();
  return rows;
}
