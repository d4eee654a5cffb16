/**
 * The screen of a client in a terminal: the transcript scrolls up on the main screen, the prompt
 * box stays below it. Invariant: between two writes the cursor is at the end of the draft.
 */
import type { WriteStream } from 'node:tty';
import { renderBox, rowsAboveCursor, type BoxView } from './prompt-box.ts';
import type { Box } from '../style.ts';
import type { Screen } from './screen.ts';

const PASTE_ON = '\u001b[?2004h';
const PASTE_OFF = '\u001b[?2004l';
const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const CLEAR_BELOW = '\u001b[J';
/** The screen and what scrolled out of it. */
const CLEAR_ALL = '\u001b[2J\u001b[3J\u001b[H';
const FALLBACK_COLUMNS = 80;
const MIN_COLUMNS = 10;

export class TerminalScreen implements Screen {
  readonly #output: WriteStream;
  readonly #view: () => BoxView;
  #drawn: Box | null = null;
  #painted = '';

  constructor(output: WriteStream, view: () => BoxView) {
    this.#output = output;
    this.#view = view;
    output.write(PASTE_ON);
    output.on('resize', () => this.refresh());
  }

  print(compose: (columns: number) => readonly string[]): void {
    const rows = compose(this.#columns());
    this.#draw(rows.map((row) => `${row}\r\n`).join(''));
  }

  clear(): void {
    this.#drawn = null;
    this.#painted = '';
    this.#output.write(CLEAR_ALL);
  }

  refresh(): void {
    this.#draw('');
  }

  close(keep = false): void {
    if (this.#drawn === null) return;
    const below = this.#drawn.rows.length - this.#drawn.cursor.row;
    const ending = keep ? '\r\n'.repeat(below) : this.#erase();
    this.#drawn = null;
    this.#output.write(ending + PASTE_OFF + SHOW_CURSOR);
  }

  #draw(transcript: string): void {
    const columns = this.#columns();
    const box = renderBox(this.#view(), columns);
    const painted = `${columns}\n${box.rows.join('\n')}`;
    if (transcript === '' && painted === this.#painted) return;
    const below = box.rows.length - 1 - box.cursor.row;
    const frame = this.#erase() + transcript + box.rows.join('\r\n');
    const change = box.cursorHidden !== (this.#drawn?.cursorHidden ?? false);
    const cursor = change ? (box.cursorHidden ? HIDE_CURSOR : SHOW_CURSOR) : '';
    this.#output.write(`${frame}\r${up(below)}${right(box.cursor.column)}${cursor}`);
    this.#drawn = box;
    this.#painted = painted;
  }

  #erase(): string {
    if (this.#drawn === null) return '';
    return `\r${up(rowsAboveCursor(this.#drawn, this.#columns()))}${CLEAR_BELOW}`;
  }

  #columns(): number {
    return Math.max(this.#output.columns || FALLBACK_COLUMNS, MIN_COLUMNS);
  }
}

function up(rows: number): string {
  return rows > 0 ? `\u001b[${rows}A` : '';
}

function right(columns: number): string {
  return columns > 0 ? `\u001b[${columns}C` : '';
}
