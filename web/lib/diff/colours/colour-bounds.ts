/** Which files are small enough to be coloured. Pure. */
import type { PatchLine } from '../parse-patch.ts';

/**
 * Beyond any of these a file is shown without colours. The longest step builds the tree of a whole
 * part in one go.
 */
const MOST_LINES = 2_000;
const MOST_CHARACTERS = 60_000;
const LONGEST_LINE = 1_000;

export function isTooLarge(lines: readonly PatchLine[]): boolean {
  const characters = lines.reduce((sum, { text }) => sum + text.length, 0);
  return (
    lines.length > MOST_LINES ||
    characters > MOST_CHARACTERS ||
    lines.some(({ text }) => text.length > LONGEST_LINE)
  );
}
