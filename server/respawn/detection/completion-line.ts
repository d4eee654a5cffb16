/**
 * The line a client ends a turn with: `✻ Cooked for 1m 7s`, with any verb behind a mark at the left
 * edge, or a row of its own that begins with `Worked for`. Prose that says so is neither.
 */
import { isTurnEnd } from '../../agents/screen/activity-row.ts';
import { type Found, rowsFrom } from './drawn-rows.ts';

/** A number and its unit, as often as they come. */
const DURATION = String.raw`\d{1,9}(?:\.\d{1,3})?(?:ms|[hmsd])(?: \d{1,9}(?:ms|[hms]))*`;
const MARKED = new RegExp(String.raw`^\S \S+ for ${DURATION}`);
/** One client indents it, or draws a line in front. */
const PLAIN = new RegExp(String.raw`^(?: {0,2}|[─━]{1,3} )Worked for ${DURATION}(?![\w.])`);

/** The last such line that ends behind `newFrom`. */
export function findCompletion(text: string, newFrom: number): Found | null {
  let last: Found | null = null;
  for (const { text: row, at } of rowsFrom(text, newFrom)) {
    const line = (isTurnEnd(row) ? MARKED : PLAIN).exec(row)?.[0];
    if (line === undefined || at + line.length <= newFrom) continue;
    last = { line: line.trim(), end: at + line.length };
  }
  return last;
}
