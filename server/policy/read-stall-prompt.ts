/**
 * Whether the screen of an agent that came to a stop ends with a question to go on, and with which.
 * Only the place where an answer would go is read: the end of the agent's last message above its own
 * empty box, or the line behind which the cursor of a program without a box stands.
 */
import { findPromptBox } from '../agents/screen/find-prompt-box.ts';
import { isShell, readScreen } from '../agents/screen/read-screen.ts';
import { readableRows, type PlainScreen } from '../agents/screen/screen-rows.ts';
import { agentQuestion } from './agent-question.ts';
import { linePrompt } from './line-prompt.ts';
import type { StallPrompt } from './stall-prompt.ts';

/** Takes a screen; gives what it asks, or null when in any doubt. Linear, and never throws. */
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
  // A hint about a key is all that some programs' own prompts have in common with a dialog.
  const hinted = reading.state === 'waiting' && reading.cause === 'dialog';
  if (reading.state !== 'unknown' && (!hinted || screen.program === 'claude')) return null;
  return linePrompt(rows, cursor);
}
