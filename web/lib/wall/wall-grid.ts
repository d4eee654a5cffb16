/** The grid of a wall: columns by the size of the window, rows that share its height. Pure. */
import { MOST_PANES } from './wall-address.ts';

/** From these widths of the window, in px, there are two, three and four columns. */
const COLUMNS_FROM = [900, 1400, 2400];
/** Less is no screen any more: below this height the page scrolls. */
export const LEAST_ROW_PX = 240;
/** The header of the page, the tools, and the space around. */
const AROUND_PX = 170;
/** A pane that is narrower than this share of its height cuts lines and has room for none more. */
const LEAST_ASPECT = 0.6;

/** Lines of a CSS grid in which separators have tracks of their own. */
export interface GridArea {
  column: string;
  row: string;
}

export interface WallGrid {
  columns: number;
  rows: number;
  /** One for each pane, in their order. */
  panes: readonly GridArea[];
  /** Between columns 1 and 2, 2 and 3, …; each only as long as it separates something. */
  columnSeparators: readonly GridArea[];
  rowSeparators: readonly GridArea[];
}

function columnsFor(width: number): number {
  return 1 + COLUMNS_FROM.filter((from) => width >= from).length;
}

/** Of the window, in px. */
export interface WallSize {
  width: number;
  height: number;
}

/** How many panes fit without scrolling. A single column is scrolled in any case. */
export function roomFor({ width, height }: WallSize): number {
  const columns = columnsFor(width);
  if (columns === 1) return MOST_PANES;
  const rows = Math.max(1, Math.floor((height - AROUND_PX) / LEAST_ROW_PX));
  return Math.min(MOST_PANES, rows * columns);
}

/** As even as possible: four panes are two rows of two also where three fit. */
function shapeOf(count: number, { width, height }: WallSize): { columns: number; rows: number } {
  for (let most = columnsFor(width); ; most -= 1) {
    const rows = Math.ceil(count / most);
    const columns = Math.ceil(count / Math.max(1, rows));
    const aspect = width / columns / ((height - AROUND_PX) / rows);
    if (most === 1 || aspect >= LEAST_ASPECT) return { columns, rows };
  }
}

export function gridOf(count: number, size: WallSize): WallGrid {
  const { columns, rows } = shapeOf(count, size);
  const panes = Array.from({ length: count }, (_, place): GridArea => {
    const column = (place % columns) + 1;
    const row = Math.floor(place / columns) + 1;
    // The last pane takes the rest of its row.
    const end = place === count - 1 ? columns : column;
    return { column: `${track(column)} / ${track(end) + 1}`, row: String(track(row)) };
  });
  /** Panes in the last row. */
  const last = count - (rows - 1) * columns;
  const columnSeparators = between(columns).map((at): GridArea => {
    const end = at < last ? rows : rows - 1;
    return { column: String(track(at) + 1), row: `1 / ${track(end) + 1}` };
  });
  const rowSeparators = between(rows).map((at): GridArea => ({
    column: '1 / -1',
    row: String(track(at) + 1),
  }));
  return { columns, rows, panes, columnSeparators, rowSeparators };
}

/** The track of a column or row, counted from 1. */
function track(place: number): number {
  return 2 * place - 1;
}

/** 1 … count - 1. */
function between(count: number): number[] {
  return Array.from({ length: Math.max(0, count - 1) }, (_, at) => at + 1);
}
