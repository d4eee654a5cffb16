/** Lines at the end of a terminal that are redrawn in place, in one write and without clearing first. */
import stringWidth from 'string-width';

const CLEAR_LINE_END = '\x1b[K';
const CLEAR_BELOW = '\x1b[J';
const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';
/** A terminal that knows them shows the frame at once; others ignore them. */
const BEGIN_FRAME = '\x1b[?2026h';
const END_FRAME = '\x1b[?2026l';
// eslint-disable-next-line no-control-regex -- Colours take no cells.
const COLOURS = /\x1b\[\d+m/g;

export interface Screen {
  columns: number;
  rows: number;
  write(text: string): void;
}

export class LiveBlock {
  readonly #screen: Readonly<Screen>;
  #drawn: readonly string[] = [];

  constructor(screen: Readonly<Screen>) {
    this.#screen = screen;
  }

  /** `lines` are at most one cell narrower than the screen; those that do not fit it are left out. */
  draw(lines: readonly string[]): void {
    const shown = lines.slice(0, Math.max(1, this.#screen.rows - 1));
    const body = shown.map((line) => `${line}${CLEAR_LINE_END}\n`).join('');
    this.#screen.write(
      `${BEGIN_FRAME}${HIDE_CURSOR}${this.#up()}${body}${CLEAR_BELOW}${END_FRAME}`,
    );
    this.#drawn = shown;
  }

  /** Leaves the last frame where it is. */
  end(): void {
    if (this.#drawn.length > 0) this.#screen.write(SHOW_CURSOR);
    this.#drawn = [];
  }

  /** A screen that became narrower since has wrapped the lines that were drawn. */
  #up(): string {
    const { columns, rows } = this.#screen;
    const heights = this.#drawn.map((line) =>
      Math.max(1, Math.ceil(stringWidth(line.replaceAll(COLOURS, '')) / columns)),
    );
    const height = Math.min(
      heights.reduce((sum, each) => sum + each, 0),
      rows - 1,
    );
    return height > 0 ? `\x1b[${height}A\r` : '\r';
  }
}
