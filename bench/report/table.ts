import { type Figure, goalText, shown, verdict } from './figures.ts';

/**
 * The lines of a table for a terminal: name, value, unit, goal, verdict, remark. `noise`: what others
 * did on the machine; then nothing is judged.
 */
export function table(figures: readonly Figure[], noise: string | null = null): string[] {
  const rows = figures.map((figure) => cells(figure, noise));
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 1 ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
  return noise === null ? lines : [...lines, `not judged: ${noise}`];
}

export function cells(figure: Figure, noise: string | null): string[] {
  const { name, value, unit, goal, remark } = figure;
  const judged = goal === undefined ? '' : noise === null ? verdict(value, goal) : 'not judged';
  return [name, shown(value), unit, goalText(figure), judged, remark ?? ''];
}
