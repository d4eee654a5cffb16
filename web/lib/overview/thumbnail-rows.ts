/** Which part of a terminal is worth a small picture. Pure. */
import { parseSgr } from '$lib/session/sgr.ts';

export interface ThumbnailRows {
  readonly rows: readonly string[];
  /** How many columns the picture is wide: one of a few steps, so that it does not breathe. */
  readonly columns: number;
}

const STEPS = [48, 64, 80, 100];

/**
 * Takes the rows of a screen, with colour codes, and how many fit; gives the last ones down to the
 * last that holds something. Several empty rows are one.
 */
export function thumbnailRows(lines: readonly string[], max: number): ThumbnailRows {
  const rows: string[] = [];
  let width = 0;
  for (let at = lines.length - 1; at >= 0 && rows.length < max; at -= 1) {
    const line = lines[at] ?? '';
    const length = shownLength(line);
    const isBlank = length === 0;
    // Below what is written nothing is shown; above it, one empty row stands for several.
    if (isBlank && (rows.length === 0 || rows[0] === '')) continue;
    rows.unshift(isBlank ? '' : line);
    width = Math.max(width, length);
  }
  if (rows[0] === '') rows.shift();
  return { rows, columns: STEPS.find((step) => step >= width) ?? (STEPS.at(-1) as number) };
}

function shownLength(line: string): number {
  const text = parseSgr(line).map((run) => run.text);
  return text.join('').trimEnd().length;
}
