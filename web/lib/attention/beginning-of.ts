import { cut } from '$shared/rules/text/plain-text.ts';
import type { DiffLine } from '$shared/rules/text/line-diff.ts';

/** What is shown of a long text until it is expanded. */
const LINES = 16;
const CHARACTERS = 1_600;

/** `isCut`: the lines shown at first are not all. */
export function beginningOf(lines: readonly DiffLine[]): {
  lines: DiffLine[];
  isCut: boolean;
  characters: number;
} {
  const characters = lines.reduce((sum, { text }) => sum + text.length + 1, -1);
  let left = CHARACTERS;
  const shown: DiffLine[] = [];
  for (const line of lines.slice(0, LINES)) {
    if (left <= 0) break;
    shown.push({ ...line, text: cut(line.text, left) });
    left -= line.text.length;
  }
  const isCut = shown.length < lines.length || left < 0;
  return { lines: shown, isCut, characters: Math.max(0, characters) };
}
