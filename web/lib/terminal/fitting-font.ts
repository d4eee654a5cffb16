export interface TerminalSize {
  cols: number;
  rows: number;
}

/** Smaller cannot be read; then the terminal is scrolled. In CSS pixels. */
const SMALLEST = 9;
const STEP = 0.5;

export interface FontRoom {
  /** What there is for the whole terminal, in CSS pixels. */
  width: number;
  height: number;
  /** Of one cell, as parts of the font size. */
  cellWidth: number;
  cellHeight: number;
}

/** Takes the room, the terminal and the size a person chose; gives the largest size that fits. */
export function fittingFontSize(room: FontRoom, size: TerminalSize, chosen: number): number {
  const fits = Math.min(
    room.width / (size.cols * room.cellWidth),
    room.height / (size.rows * room.cellHeight),
  );
  if (!Number.isFinite(fits)) return chosen;
  return Math.max(SMALLEST, Math.min(chosen, Math.floor(fits / STEP) * STEP));
}
