/**
 * Reads a screen by its structure alone: the foreground program, the prompt box, the rows drawn by
 * the client itself. Linear in its input, and bounded.
 */
import { readBoxlessScreen, readBoxScreen } from './claude-screen.ts';
import { findPromptBox } from './find-prompt-box.ts';
import { readCodexScreen, readGeminiScreen } from './other-clients.ts';
import { NOTHING_READ, type ScreenReading } from './screen-reading.ts';
import { readableRows, type PlainScreen } from './screen-rows.ts';

const SHELLS = new Set(
  'sh bash zsh fish dash ash ksh mksh csh tcsh nu pwsh elvish xonsh busybox rbash login'.split(' '),
);

/** They show text, perhaps that of a client's screen, but are not clients. */
const READERS = new Set(
  'vim vi view nvim nano emacs less more most man bat tail watch top htop btop'.split(' '),
);

/** `program` is a short name, perhaps with the dash of a login shell. */
export function isShell(program: string): boolean {
  return SHELLS.has(program.replace(/^-/, ''));
}

/** Never throws. */
export function readScreen(screen: PlainScreen): ScreenReading {
  // A client that was killed leaves its last screen behind.
  if (screen.ended === true || isShell(screen.program))
    return { ...NOTHING_READ, state: 'exited', cause: 'none' };
  if (READERS.has(screen.program)) return NOTHING_READ;
  const rows = readableRows(screen.rows);
  const dropped = screen.rows.length - rows.length;
  const cursor =
    screen.cursor === null ? null : ([screen.cursor[0] - dropped, screen.cursor[1]] as const);
  const faint = screen.faint ? readableRows(screen.faint) : null;
  const box = findPromptBox(rows, cursor, faint);
  if (box !== null) return readBoxScreen(rows, box, cursor, faint);
  const other = screen.program === 'claude' ? null : readOther(rows, cursor, faint);
  return other ?? readBoxlessScreen(rows);
}

function readOther(
  rows: readonly string[],
  cursor: PlainScreen['cursor'],
  faint: readonly string[] | null,
): ScreenReading | null {
  return readCodexScreen(rows, cursor, faint) ?? readGeminiScreen(rows, cursor);
}
