/** Which part of a terminal a thumbnail shows. Pure. */
import { parseSgr } from '$lib/session/sgr.ts';

export interface ThumbnailRows {
  readonly rows: readonly string[];
  /** The width in columns: one of a few steps, so that it does not change all the time. */
  readonly columns: number;
}

const STEPS = [40, 56, 72];
/** A rule across the screen may be cut; text should not. */
const RULE_AT_END = /[─━═▁▔╌-]{4,}\s*$/;

/**
 * The last rows with content, at most `max`. `lines` contain colour codes. Several empty rows
 * become one.
 */
export function thumbnailRows(lines: readonly string[], max: number): ThumbnailRows {
  const rows: string[] = [];
  let width = 0;
  for (let at = lines.length - 1; at >= 0 && rows.length < max; at -= 1) {
    const line = lines[at] ?? '';
    const text = shownText(line);
    // No empty rows below the content; above it, one empty row replaces several.
    if (text === '' && (rows.length === 0 || rows[0] === '')) continue;
    rows.unshift(text === '' ? '' : line);
    width = Math.max(width, text.replace(RULE_AT_END, '').trimEnd().length);
  }
  if (rows[0] === '') rows.shift();
  return { rows, columns: STEPS.find((step) => step >= width) ?? (STEPS.at(-1) as number) };
}

function shownText(line: string): string {
  const runs = parseSgr(line).map((run) => run.text);
  return runs.join('').trimEnd();
}
