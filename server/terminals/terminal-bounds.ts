/** What both hosts accept: a size, a page of scrollback, a text to type. */
import { COLS_BOUNDS, ROWS_BOUNDS } from './terminal.ts';

/** Rows of scrollback per call. */
const SCROLLBACK_PAGE = 1_000;
/** Rows of scrollback kept by either host. */
export const SCROLLBACK_ROWS = 10_000;

/** C0 except tab and newline, DEL, and C1: each of them can break out of a bracketed paste. */
// eslint-disable-next-line no-control-regex -- these are the bytes to remove
const CONTROL_BYTES = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
/** In canonical mode the kernel keeps 4,095 bytes of a line; some may be there already. */
const MAX_LINE_BYTES = 4_000;

/** The nearest size within the bounds, in whole numbers. */
export function terminalSize(cols: number, rows: number): { cols: number; rows: number } {
  return { cols: within(cols, COLS_BOUNDS), rows: within(rows, ROWS_BOUNDS) };
}

/** The rows of a page that exist, at most 1,000. A negative `from` counts from the newest. */
export function scrollbackPage(
  total: number,
  wanted: { from: number; lines: number },
): { from: number; lines: number } {
  const start = wanted.from < 0 ? total + wanted.from : wanted.from;
  const from = within(start, [0, total]);
  return { from, lines: within(wanted.lines, [0, Math.min(total - from, SCROLLBACK_PAGE)]) };
}

/** With the line ends of a terminal's paste and without control bytes. */
export function typedText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(CONTROL_BYTES, '');
}

/** True when a line of typed text is too long for a program that reads whole lines. */
export function hasLongLine(text: string): boolean {
  return (
    text.length * 3 > MAX_LINE_BYTES &&
    text.split('\n').some((line) => Buffer.byteLength(line) > MAX_LINE_BYTES)
  );
}

function within(value: number, [least, most]: readonly [number, number]): number {
  return Number.isNaN(value) ? least : Math.min(Math.max(Math.floor(value), least), most);
}
