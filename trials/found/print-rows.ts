/** The table of a trial with found sessions. */
import { print } from '../record/print-judgement.ts';
import { cellsOfRow, HEADINGS, type Row } from './row.ts';

export function printRows(rows: readonly Row[]): void {
  const lines = [[...HEADINGS], ...rows.map(cellsOfRow)];
  const widths = HEADINGS.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  for (const line of lines) {
    print(
      `    ${line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}`,
    );
  }
}
