/** A program that asks on its last line and waits behind it, with nothing drawn around. */
import type { PlainScreen } from '../agents/screen/screen-rows.ts';
import { readLine } from './asking-words.ts';
import { linesToShow } from './lines-to-show.ts';
import type { StallPrompt } from './stall-prompt.ts';

/** An option to choose, or an edge: something is drawn here that is no line. */
const DRAWN = /^[\s│|]*[❯›●○◉▸] ?\S|[─━│┃┌┐└┘╭╮╰╯▔▁]/;
/** Rows above the line in which what is drawn is a part of it. */
const NEAR = 12;

/** Takes readable rows of a screen without a prompt box; gives the prompt at their end, or null. */
export function linePrompt(
  rows: readonly string[],
  cursor: PlainScreen['cursor'],
): StallPrompt | null {
  const last = rows.findLastIndex((row) => row !== '');
  const line = rows[last] ?? '';
  // What was printed and ended stands above the cursor, what is quoted has something behind it.
  if (cursor === null || cursor[0] !== last || line === '') return null;
  if (cursor[1] < line.length || cursor[1] > line.length + 1) return null;
  if (rows.slice(Math.max(0, last - NEAR), last + 1).some((row) => DRAWN.test(row))) return null;
  const kind = readLine(line);
  if (kind === null) return null;
  // Nothing tells where the question began: everything on the screen may belong to it.
  const shown = rows.slice(0, last + 1).filter((row) => row !== '');
  return { kind, lines: linesToShow(shown, 1), where: 'line' };
}
