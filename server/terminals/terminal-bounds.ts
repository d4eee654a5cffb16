import { COLS_BOUNDS, ROWS_BOUNDS } from './terminal.ts';

/** Rows of scrollback given by one call. */
const SCROLLBACK_PAGE = 1_000;
/** Rows of scrollback kept by either host. */
export const SCROLLBACK_ROWS = 10_000;

/** Takes a wanted size; gives the nearest one within the bounds, whole. */
export function terminalSize(cols: number, rows: number): { cols: number; rows: number } {
  return { cols: within(cols, COLS_BOUNDS), rows: within(rows, ROWS_BOUNDS) };
}

/**
 * Takes the rows kept and a wanted page (`from` negative: from the newest); gives the rows of it that
 * exist, at most 1,000.
 */
export function scrollbackPage(
  total: number,
  wanted: { from: number; lines: number },
): { from: number; lines: number } {
  const start = wanted.from < 0 ? total + wanted.from : wanted.from;
  const from = within(start, [0, total]);
  return { from, lines: within(wanted.lines, [0, Math.min(total - from, SCROLLBACK_PAGE)]) };
}

function within(value: number, [least, most]: readonly [number, number]): number {
  return Number.isNaN(value) ? least : Math.min(Math.max(Math.floor(value), least), most);
}
