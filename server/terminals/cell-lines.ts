/** Rows of an emulated terminal as text with SGR codes, each row on its own. */
import type { IBuffer, IBufferCell, IBufferLine } from '@xterm/headless';

/**
 * One string per row, without trailing spaces. `cols` is the current width: a row that was wider
 * before a resize may still hold more.
 */
export function cellLines(buffer: IBuffer, from: number, count: number, cols: number): string[] {
  return Array.from({ length: count }, (_, row) => {
    const line = buffer.getLine(from + row);
    return line === undefined ? '' : cellLine(line, cols);
  });
}

function cellLine(line: IBufferLine, cols: number): string {
  const end = paintedEnd(line, cols);
  let text = '';
  let style = '';
  for (let column = 0; column < end; column += 1) {
    const cell = line.getCell(column);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const next = styleOf(cell);
    if (next !== style) text += `\x1b[0${next}m`;
    style = next;
    text += isHalf(cell, column, cols) ? ' ' : cell.getChars() || ' ';
  }
  return style === '' ? text : `${text}\x1b[0m`;
}

/** The column after the last cell that shows anything, even if only a background. */
function paintedEnd(line: IBufferLine, cols: number): number {
  for (let end = Math.min(line.length, cols); end > 0; end -= 1) {
    const cell = line.getCell(end - 1);
    if (cell === undefined) continue;
    const chars = isHalf(cell, end - 1, cols) ? '' : cell.getChars();
    const blank = chars === '' || chars === ' ';
    if (!blank || cell.getWidth() === 0 || paintsBlanks(cell)) return end;
  }
  return 0;
}

/** A resize cut a wide character in two: no terminal can show one half. */
function isHalf(cell: IBufferCell, column: number, cols: number): boolean {
  return cell.getWidth() === 2 && column === cols - 1;
}

function paintsBlanks(cell: IBufferCell): boolean {
  return !cell.isBgDefault() || cell.isInverse() !== 0 || cell.isUnderline() !== 0;
}

/** SGR parameters of a cell, each after a semicolon; empty for a plain one. */
function styleOf(cell: IBufferCell): string {
  const flags = [
    cell.isBold() && '1',
    cell.isDim() && '2',
    cell.isItalic() && '3',
    cell.isUnderline() && '4',
    cell.isBlink() && '5',
    cell.isInverse() && '7',
    cell.isInvisible() && '8',
    cell.isStrikethrough() && '9',
    colour(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor(), 38),
    colour(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor(), 48),
  ];
  return flags.map((flag) => (typeof flag === 'string' ? `;${flag}` : '')).join('');
}

function colour(rgb: boolean, palette: boolean, value: number, kind: 38 | 48): string | null {
  if (rgb) return `${kind};2;${value >> 16};${(value >> 8) & 255};${value & 255}`;
  if (!palette) return null;
  // The first sixteen have short codes, the ones that themes assign colours to.
  if (value < 8) return String(kind - 8 + value);
  return value < 16 ? String(kind + 52 + value - 8) : `${kind};5;${value}`;
}
