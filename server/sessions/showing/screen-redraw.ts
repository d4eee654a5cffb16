/** A snapshot as bytes that make any emulator show exactly it, no matter what it showed before. Pure. */
import type { ScreenSnapshot } from '../../terminals/terminal.ts';

/** Attributes, margins, modes and character sets of a fresh terminal; keeps the text. */
const PLAIN = '\x1b[!p\x1b(B\x0f\x1b[0m';
// eslint-disable-next-line no-control-regex -- the start of each code
const SGR = /\x1b\[[0-9:;]*m/g;

/** Control sequences and safe rows, to be written as UTF-8. */
export function screenRedraw(screen: ScreenSnapshot): string {
  const { lines, cursor, cursorVisible, alternate } = screen;
  const rows = lines.map((line, row) => (line === '' ? '' : at(row, 0) + line));
  return [
    alternate ? '\x1b[?1049h' : '\x1b[?1049l',
    PLAIN,
    // A row that is wider here than there must not overflow into the next one.
    '\x1b[H\x1b[2J\x1b[?7l',
    ...rows,
    '\x1b[?7h',
    placeCursor(screen, cursor),
    cursorVisible ? '\x1b[?25h' : '\x1b[?25l',
    // Later output is drawn with the attributes that were on.
    screen.pen ?? '',
  ].join('');
}

function placeCursor({ cols, lines }: ScreenSnapshot, [row, column]: [number, number]): string {
  if (column < cols) return at(row, column);
  // After the last cell: the next character wraps. Only writing that cell again gets there.
  const line = lines[row] ?? '';
  const text = line.replaceAll(SGR, '');
  // The rows of a snapshot are cut after their last visible cell; plain ASCII shows where that is,
  // in other rows it is assumed to be the last.
  const cut = /^[ -~]*$/.test(text) && text.length < cols;
  return cut ? `${at(row, cols - 1)} ` : at(row, 0) + line;
}

function at(row: number, column: number): string {
  return `\x1b[${row + 1};${column + 1}H`;
}
