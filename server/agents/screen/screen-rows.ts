/**
 * The rows of a screen as the readers look at them. What starts in column 0 was drawn by the client
 * itself; what the agent wrote, and what tools gave it, is indented.
 */

/** A screen as a host gives it, without colour codes. */
export interface PlainScreen {
  rows: readonly string[];
  /** The same rows with what is drawn faint alone; null or left out where nobody knows the colours. */
  faint?: readonly string[] | null;
  /** Row and column, from 0; null when nobody knows. */
  cursor: readonly [row: number, column: number] | null;
  /** Short name of the program in front of the terminal. */
  program: string;
  /** The program ended and its terminal was kept. */
  ended?: boolean;
}

/** No terminal is wider or higher (the bounds of `terminals`); what is beyond is hostile. */
const MAX_COLUMNS = 500;
const MAX_ROWS = 400;

const RULE_START = /^[─━]{3}/;
/** A title in it may be longer than what is left of the line. */
const TITLED_RULE = /^[─━]{3,} .* [─━]{2,}$/;
/** The mark of an answer where the system has a rounder one. */
const OTHER_DOT = /^⏺(?= |$)/;

/** Takes rows; gives them bounded, with plain blanks, one mark for answers, and nothing behind the last word of each. */
export function readableRows(rows: readonly string[]): string[] {
  return rows
    .slice(-MAX_ROWS)
    .map((row) =>
      row.slice(0, MAX_COLUMNS).replaceAll('\u00a0', ' ').replace(OTHER_DOT, '●').trimEnd(),
    );
}

/** A line across the screen, perhaps with a few words in it. */
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

/** Takes rows and an end (exclusive); gives the index of the last marked row before it, or -1. */
export function lastMarked(rows: readonly string[], end: number): number {
  for (let index = end - 1; index >= 0; index -= 1) {
    if (isMarked(rows[index] ?? '')) return index;
  }
  return -1;
}

/** Takes rows and the index of one; gives the index after the last row that follows without a gap. */
export function blockEnd(rows: readonly string[], start: number, limit: number): number {
  let end = start + 1;
  while (end < limit && rows[end] !== '' && !isMarked(rows[end] ?? '')) end += 1;
  return end;
}

/** Takes rows; gives their words as one text of at most 300 characters, or null without any. */
export function wordsOf(rows: readonly string[]): string | null {
  const text = rows
    .map((row) => row.replaceAll(/[─-╿▔▁]+/g, ' ').trim())
    .filter((row) => row !== '')
    .join(' ')
    .slice(0, 300);
  return text === '' ? null : text;
}

/**
 * Takes the line beside a captured screen (`cmd=claude title=… dead=0 cursor=2,36 flag=0 …`), '' when
 * there is none; gives what it says of the screen besides its rows.
 */
export function parseScreenInfo(line: string): Omit<PlainScreen, 'rows'> {
  const words = line.slice(0, 4096);
  const program = /^cmd=(\S*)/.exec(words)?.[1];
  // The title is the program's own text: what stands behind it comes last.
  const [, dead, column, row] =
    [...words.matchAll(/(?: dead=([01]))? cursor=(\d{1,5}),(\d{1,5}) flag=/g)].at(-1) ?? [];
  return {
    program: program === undefined || program === '' ? 'claude' : program,
    cursor: row === undefined ? null : [Number(row), Number(column)],
    ended: dead === '1',
  };
}
