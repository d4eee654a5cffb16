/** Rows as aligned columns. */
import stringWidth from 'string-width';

const GAP = '  ';
/** A column is not cut below this many cells of the terminal. */
const MIN_COLUMN = 8;

/**
 * The lines of a table with a line of heads. Cells are plain text of one line. To fit `width` cells of
 * a terminal, columns are cut, the widest first and never the first, which names the row; what does
 * not fit even then is left out from the right. Null cuts nothing, as for a pipe.
 */
export function tableLines(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width = terminalWidth(),
): string[] {
  const all = [head.map((name) => name.toUpperCase()), ...rows];
  const widths = head.map((_, column) =>
    Math.max(...all.map((row) => stringWidth(row[column] ?? ''))),
  );
  if (width !== null) fit(widths, width);
  return all.map((row) =>
    row
      .slice(0, widths.length)
      .map((cell, column) => padded(cutCells(cell, widths[column] ?? 0), widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}

/** Null when standard output is not a terminal. */
export function terminalWidth(): number | null {
  return process.stdout.isTTY ? process.stdout.columns : null;
}

function fit(widths: number[], width: number): void {
  const total = () => widths.reduce((sum, each) => sum + each, GAP.length * (widths.length - 1));
  for (let excess = total() - width; excess > 0; excess = total() - width) {
    const [widest = 0, next = 0] = widths.slice(1).sort((a, b) => b - a);
    if (widest <= MIN_COLUMN) {
      if (widths.length <= 2) return;
      widths.pop();
    } else {
      const by = Math.min(excess, Math.max(1, widest - Math.max(next, MIN_COLUMN)));
      widths[widths.indexOf(widest, 1)] = widest - by;
    }
  }
}

/** At most `width` cells of a terminal, with an ellipsis where it was cut. */
export function cutCells(cell: string, width: number): string {
  if (stringWidth(cell) <= width) return cell;
  let kept = '';
  for (const character of cell) {
    if (stringWidth(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

function padded(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - stringWidth(cell)));
}
