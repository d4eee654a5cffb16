/** Which part of a terminal a thumbnail shows. Pure. */
import { isBlankRow } from '$lib/session/blank-rows.ts';

/**
 * The last rows with content, at most `max`. `lines` contain colour codes. Several empty rows
 * become one.
 */
export function thumbnailRows(lines: readonly string[], max: number): readonly string[] {
  const rows: string[] = [];
  for (let at = lines.length - 1; at >= 0 && rows.length < max; at -= 1) {
    const line = lines[at] ?? '';
    const isEmpty = isBlankRow(line);
    // No empty rows below the content; above it, one empty row replaces several.
    if (isEmpty && (rows.length === 0 || rows[0] === '')) continue;
    rows.unshift(isEmpty ? '' : line);
  }
  if (rows[0] === '') rows.shift();
  return rows;
}
