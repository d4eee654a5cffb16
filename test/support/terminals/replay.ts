import headless from '@xterm/headless';
import { cellLines } from '../../../server/terminals/cell-lines.ts';
import type { ScreenSnapshot } from '../../../server/terminals/terminal.ts';

/** A viewer's side: an emulator that gets a snapshot, then the bytes that follow it. */
export class Replay {
  readonly #terminal: InstanceType<typeof headless.Terminal>;

  constructor(snapshot: ScreenSnapshot) {
    const { cols, rows } = snapshot;
    this.#terminal = new headless.Terminal({ cols, rows, allowProposedApi: true });
    this.#terminal.write(drawing(snapshot));
  }

  feed(bytes: Uint8Array): void {
    this.#terminal.write(bytes);
  }

  async snapshot(): Promise<{ lines: string[]; cursor: [number, number]; alternate: boolean }> {
    await new Promise<void>((drawn) => this.#terminal.write('', drawn));
    const { active } = this.#terminal.buffer;
    const { cols, rows } = this.#terminal;
    const lines = cellLines(active, active.baseY, rows, cols);
    const cursor: [number, number] = [active.cursorY, active.cursorX];
    return { lines, cursor, alternate: active.type === 'alternate' };
  }
}

/** What a viewer draws from a snapshot. */
export async function snapshotOf(snapshot: ScreenSnapshot) {
  return new Replay(snapshot).snapshot();
}

function drawing({
  lines,
  cols,
  cursor: [row, column],
  alternate,
  pen = '',
}: ScreenSnapshot): string {
  const rows = lines.map((line, index) => `\x1b[${index + 1};1H${line}`).join('');
  // Behind the last column: the next character goes to the next row. Redrawing the row at its full
  // width leaves the emulator there.
  const cursor =
    column >= cols ? `\x1b[${row + 1};1H${lines[row] ?? ''}` : `\x1b[${row + 1};${column + 1}H`;
  return (alternate ? '\x1b[?1049h' : '') + rows + cursor + pen;
}
