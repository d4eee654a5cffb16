/** What either host takes: a size, a page of what scrolled off, a text to type. */
import { COLS_BOUNDS, ROWS_BOUNDS } from './terminal.ts';

/** Rows of scrollback given by one call. */
const SCROLLBACK_PAGE = 1_000;
/** Rows of scrollback kept by either host. */
export const SCROLLBACK_ROWS = 10_000;

/** C0 but tab and newline, DEL, and C1: each of them can break out of a bracketed paste. */
// eslint-disable-next-line no-control-regex -- these are the very bytes to remove
const CONTROL_BYTES = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
/** A terminal that reads whole lines keeps 4,095 bytes of one; some may stand there already. */
const MAX_LINE_BYTES = 4_000;

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

/** Takes any text; gives it with the line ends of a terminal's paste and without control bytes. */
export function typedText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(CONTROL_BYTES, '');
}

/** Takes typed text; tells whether a line of it is too long for a program that reads whole lines. */
export function hasLongLine(text: string): boolean {
  return (
    text.length * 3 > MAX_LINE_BYTES &&
    text.split('\n').some((line) => Buffer.byteLength(line) > MAX_LINE_BYTES)
  );
}

function within(value: number, [least, most]: readonly [number, number]): number {
  return Number.isNaN(value) ? least : Math.min(Math.max(Math.floor(value), least), most);
}
