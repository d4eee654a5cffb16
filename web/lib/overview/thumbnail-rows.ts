/** Which part of a terminal is worth a small picture. Pure. */
import { parseSgr } from '$lib/session/sgr.ts';

export interface ThumbnailRows {
  readonly rows: readonly string[];
  /** How many columns the picture is wide: one of a few steps, so that it does not breathe. */
  readonly columns: number;
}

const STEPS = [40, 56, 72];
/** A line drawn across the screen may be cut; words may not, as far as possible. */
const RULE_AT_END = /[─━═▁▔╌-]{4,}\s*$/;

/**
 * Takes the rows of a screen, with colour codes, and how many fit; gives the last ones down to the
 * last that holds something. Several empty rows are one.
 */
export function thumbnailRows(lines: readonly string[], max: number): ThumbnailRows {
  const rows: string[] = [];
  let width = 0;
  for (let at = lines.length - 1; at >= 0 && rows.length < max; at -= 1) {
    const line = lines[at] ?? '';
    const text = shownText(line);
    // Below what is written nothing is shown; above it, one empty row stands for several.
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
