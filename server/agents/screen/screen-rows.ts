/**
 * The rows of a screen as the readers see them. What starts in column 0 was drawn by the client
 * itself; output of the agent and its tools is indented.
 */

/** A screen of a host, without colour codes. */
export interface PlainScreen {
  rows: readonly string[];
  /** The same rows with only what is drawn faint; null or missing where colours are unknown. */
  faint?: readonly string[] | null;
  /** Row and column, from 0; null when unknown. */
  cursor: readonly [row: number, column: number] | null;
  /** Short name of the foreground program. */
  program: string;
  /** The program ended and its terminal was kept. */
  ended?: boolean;
}

/** No terminal is wider or higher (the bounds of `terminals`); anything beyond is hostile. */
const MAX_COLUMNS = 500;
const MAX_ROWS = 400;

const RULE_START = /^[─━]{3}/;
/** A title in it may be longer than the rest of the line. */
const TITLED_RULE = /^[─━]{3,} .* [─━]{2,}$/;
/** The mark of an answer on systems with a rounder one. */
const OTHER_DOT = /^⏺(?= |$)/;

/** Bounded, with plain spaces, one mark for answers, and no trailing spaces. */
export function readableRows(rows: readonly string[]): string[] {
  return rows
    .slice(-MAX_ROWS)
    .map((row) =>
      row.slice(0, MAX_COLUMNS).replaceAll('\u00a0', ' ').replace(OTHER_DOT, '●').trimEnd(),
    );
}

/** A line across the screen, perhaps with a title in it. */
export function isRule(row: string | undefined): boolean {
  if (row === undefined || !RULE_START.test(row)) return false;
  if (TITLED_RULE.test(row)) return true;
  let drawn = 0;
  for (const character of row) if (character === '─' || character === '━') drawn += 1;
  return drawn * 2 > row.length;
}

/** Starts in column 0: the client's own. */
export function isMarked(row: string): boolean {
  return row !== '' && !row.startsWith(' ');
}

/** Before `end` (exclusive); -1 without one. */
export function lastMarked(rows: readonly string[], end: number): number {
  for (let index = end - 1; index >= 0; index -= 1) {
    if (isMarked(rows[index] ?? '')) return index;
  }
  return -1;
}

/** The index after the last row that follows without a gap. */
export function blockEnd(rows: readonly string[], start: number, limit: number): number {
  let end = start + 1;
  while (end < limit && rows[end] !== '' && !isMarked(rows[end] ?? '')) end += 1;
  return end;
}

/** One text of at most 300 characters, or null without any. */
export function joinedText(rows: readonly string[]): string | null {
  const text = rows
    .map((row) => row.replaceAll(/[─-╿▔▁]+/g, ' ').trim())
    .filter((row) => row !== '')
    .join(' ')
    .slice(0, 300);
  return text === '' ? null : text;
}

/**
 * Parses the line stored with a captured screen (`cmd=claude title=… dead=0 cursor=2,36 flag=0 …`);
 * '' when there is none.
 */
export function parseScreenInfo(line: string): Omit<PlainScreen, 'rows'> {
  const info = line.slice(0, 4096);
  const program = /^cmd=(\S*)/.exec(info)?.[1];
  // The title is the program's own text: what comes after it is matched last.
  const [, dead, column, row] =
    [...info.matchAll(/(?: dead=([01]))? cursor=(\d{1,5}),(\d{1,5}) flag=/g)].at(-1) ?? [];
  return {
    program: program === undefined || program === '' ? 'claude' : program,
    cursor: row === undefined ? null : [Number(row), Number(column)],
    ended: dead === '1',
  };
}
