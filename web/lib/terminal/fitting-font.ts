export interface TerminalSize {
  cols: number;
  rows: number;
}

/** Smaller is unreadable; the terminal scrolls instead. In CSS pixels. */
const SMALLEST = 9;
const STEP = 0.5;

export interface FontRoom {
  /** The space for the whole terminal, in CSS pixels. */
  width: number;
  height: number;
  /** Of one cell, relative to the font size. */
  cellWidth: number;
  cellHeight: number;
}

/** The largest size that fits, at most `chosen`. */
export function fittingFontSize(room: FontRoom, size: TerminalSize, chosen: number): number {
  const fits = Math.min(
    room.width / (size.cols * room.cellWidth),
    room.height / (size.rows * room.cellHeight),
  );
  if (!Number.isFinite(fits)) return chosen;
  return Math.max(SMALLEST, Math.min(chosen, Math.floor(fits / STEP) * STEP));
}
