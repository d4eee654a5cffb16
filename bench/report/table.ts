import { type Figure, goalText, shown, verdict } from './figures.ts';

/** The lines of a table for a terminal: name, value, unit, goal, verdict, remark. */
export function table(figures: readonly Figure[]): string[] {
  const rows = figures.map((figure) => cells(figure));
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 1 ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
}

export function cells(figure: Figure): string[] {
  const { name, value, unit, goal, remark } = figure;
  const judged = goal === undefined ? '' : verdict(value, goal);
  return [name, shown(value), unit, goalText(figure), judged, remark ?? ''];
}
