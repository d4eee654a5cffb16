/** How large a person wants terminals, in CSS pixels; kept by the browser. */

const STORAGE_KEY = 'loopwatch.terminal-font-size';
const NORMAL = 13;
const SMALLEST = 9;
const LARGEST = 24;

/** Gives the size that was chosen last. */
export function readFontSize(): number {
  return bounded(Number(localStorage.getItem(STORAGE_KEY) ?? NORMAL));
}

/** Takes a size; keeps it, brought inside the bounds, and gives that. */
export function keepFontSize(size: number): number {
  const kept = bounded(size);
  localStorage.setItem(STORAGE_KEY, String(kept));
  return kept;
}

function bounded(size: number): number {
  return Number.isFinite(size) ? Math.min(LARGEST, Math.max(SMALLEST, Math.round(size))) : NORMAL;
}
