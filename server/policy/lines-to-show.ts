/** Which lines of a message a question is judged and shown by. */
import { riskOfLines, type Risk } from './risky-words.ts';

const MOST = 5;
/** A word or a phrase that is wrapped stands on so many rows at most. */
const WINDOW = 3;

/**
 * Takes the rows of a message and how many at its end ask; gives at most five of them, trimmed and in
 * their order: those that tell of the gravest risk, and the last that ask.
 */
export function linesToShow(rows: readonly string[], asking: number): string[] {
  const risky = riskyRows(rows);
  const last = rows.length - 1;
  const chosen = new Set([...risky, last]);
  for (let index = last; index > last - asking && index >= 0 && chosen.size < MOST; index -= 1) {
    chosen.add(index);
  }
  return [...chosen].sort((a, b) => a - b).map((index) => (rows[index] ?? '').trim());
}

/** The fewest rows, one below the other, that tell of the gravest risk; the newest of them. */
function riskyRows(rows: readonly string[]): number[] {
  const found = new Map<Risk, number[]>();
  for (let size = 1; size <= WINDOW; size += 1) {
    for (let start = rows.length - size; start >= 0; start -= 1) {
      const risk = riskOfLines(rows.slice(start, start + size));
      if (risk === null || found.has(risk)) continue;
      found.set(
        risk,
        Array.from({ length: size }, (_, index) => start + index),
      );
    }
  }
  return found.get('denied') ?? found.get('doubtful') ?? [];
}
