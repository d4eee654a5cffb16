/** An emulated screen that draws a program's output, and what it shows. */
import headless from '@xterm/headless';
import { cellLines } from './cell-lines.ts';
import { DisplayBytes } from './display-bytes.ts';

export type EmulatedScreen = InstanceType<typeof headless.Terminal>;

interface Size {
  cols: number;
  rows: number;
}

export function newScreen(size: Size, scrollback: number): EmulatedScreen {
  const screen = new headless.Terminal({ ...size, scrollback, allowProposedApi: true });
  leaveOutFaultyErase(screen);
  return screen;
}

/** What a terminal of that size shows after this output: text and colour codes only. */
export async function drawOutput(
  output: Uint8Array,
  size: Size,
): Promise<{ cursor: [number, number]; lines: string[] }> {
  const screen = newScreen(size, 0);
  try {
    await new Promise<void>((drawn) => screen.write(new DisplayBytes().push(output), drawn));
    const { active } = screen.buffer;
    const lines = cellLines(active, active.baseY, size.rows, size.cols);
    return { cursor: [active.cursorY, active.cursorX], lines };
  } finally {
    screen.dispose();
  }
}

/**
 * The emulator throws, where it cannot be caught, when everything above is erased from the last
 * cell of its last row. The erase is skipped instead.
 */
function leaveOutFaultyErase(screen: EmulatedScreen): void {
  screen.parser.registerCsiHandler({ final: 'J' }, ([what]) => {
    const { buffer, cols, rows } = screen;
    const { cursorX, cursorY } = buffer.active;
    return what === 1 && cursorX + 1 >= cols && cursorY + 1 >= rows;
  });
}
