import { parseSgr } from './sgr.ts';

/** Whether a row of a screen, with its colour codes, shows nothing. */
export function isBlankRow(line: string): boolean {
  return parseSgr(line).every(({ text }) => text.trim() === '');
}

/** The rows up to the last one that shows something. */
export function withoutBlankEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => !isBlankRow(line)) + 1);
}
