/**
 * Whether the screen of a stalled agent ends with a question whether to continue, and with which.
 * Only the place where an answer would go is read: the end of the agent's last message above its
 * own empty box, or, for a program without a box, the line with the cursor at its end.
 */
import { findPromptBox } from '../../agents/screen/find-prompt-box.ts';
import { isShell, readScreen } from '../../agents/screen/read-screen.ts';
import { type PlainScreen, readableRows } from '../../agents/screen/screen-rows.ts';
import { agentQuestion, linesToShow } from './agent-question.ts';
import { readLine, type StallPrompt } from '../asking-patterns.ts';

/** An option to choose, or an edge: something is drawn here that is no line of text. */
const DRAWN = /^[\s│|]*[❯›●○◉▸] ?\S|[─━│┃┌┐└┘╭╮╰╯▔▁]/;
/** Drawn parts within this many rows above the line belong to it. */
const NEAR = 12;

/** Null when in any doubt. Linear, and never throws. */
export function readStallPrompt(screen: PlainScreen): StallPrompt | null {
  if (isShell(screen.program)) return null;
  const rows = readableRows(screen.rows);
  const dropped = screen.rows.length - rows.length;
  const cursor: PlainScreen['cursor'] =
    screen.cursor === null ? null : [screen.cursor[0] - dropped, screen.cursor[1]];
  const reading = readScreen(screen);
  const box = findPromptBox(rows);
  if (box !== null) {
    if (reading.state !== 'ready' || reading.cause !== 'none') return null;
    return agentQuestion(rows, box, cursor);
  }
  // A hint about a key is all that the prompts of some programs have in common with a dialog.
  const hinted = reading.state === 'waiting' && reading.cause === 'dialog';
  if (reading.state !== 'unknown' && (!hinted || screen.program === 'claude')) return null;
  return linePrompt(rows, cursor);
}

/**
 * For readable rows without a prompt box: the prompt of a program that asks on its last line and
 * waits behind it, with nothing drawn around.
 */
function linePrompt(rows: readonly string[], cursor: PlainScreen['cursor']): StallPrompt | null {
  const last = rows.findLastIndex((row) => row !== '');
  const line = rows[last] ?? '';
  // Output that has ended is above the cursor, a quotation has something behind it.
  if (cursor === null || cursor[0] !== last || line === '') return null;
  if (cursor[1] < line.length || cursor[1] > line.length + 1) return null;
  if (rows.slice(Math.max(0, last - NEAR), last + 1).some((row) => DRAWN.test(row))) return null;
  const kind = readLine(line);
  if (kind === null) return null;
  // The start of the question is unknown: everything on the screen may belong to it.
  const shown = rows.slice(0, last + 1).filter((row) => row !== '');
  return { kind, lines: linesToShow(shown, 1), where: 'line' };
}
