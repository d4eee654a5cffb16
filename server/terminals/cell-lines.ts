/** The visible rows of an emulated terminal as text with SGR codes, each row on its own. */
import type { IBufferCell, Terminal } from '@xterm/headless';

/** Takes a terminal; gives one string a row, blanks at the end cut. */
export function cellLines(terminal: Terminal): string[] {
  const { active } = terminal.buffer;
  return Array.from({ length: terminal.rows }, (_, row) => {
    const line = active.getLine(active.baseY + row);
    if (line === undefined) return '';
    const end = line.translateToString(true).length;
    let text = '';
    let style = '';
    for (let column = 0, taken = 0; column < line.length && taken < end; column += 1) {
      const cell = line.getCell(column);
      if (cell === undefined || cell.getWidth() === 0) continue;
      const chars = cell.getChars() || ' ';
      taken += chars.length;
      const next = styleOf(cell);
      if (next !== style) text += `\x1b[0${next}m`;
      style = next;
      text += chars;
    }
    return style === '' ? text : `${text}\x1b[0m`;
  });
}

/** SGR parameters of a cell, each behind a semicolon; empty for a plain one. */
function styleOf(cell: IBufferCell): string {
  const flags = [
    cell.isBold() && '1',
    cell.isDim() && '2',
    cell.isItalic() && '3',
    cell.isUnderline() && '4',
    cell.isInverse() && '7',
    colour(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor(), 38),
    colour(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor(), 48),
  ];
  return flags.map((flag) => (typeof flag === 'string' ? `;${flag}` : '')).join('');
}

function colour(rgb: boolean, palette: boolean, value: number, kind: 38 | 48): string | null {
  if (rgb) return `${kind};2;${value >> 16};${(value >> 8) & 255};${value & 255}`;
  if (!palette) return null;
  // The first sixteen have short codes, which is what pages give theme colours to.
  if (value < 8) return String(kind - 8 + value);
  return value < 16 ? String(kind + 52 + value - 8) : `${kind};5;${value}`;
}
