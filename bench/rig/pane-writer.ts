/** Writes into terminal devices as the programs in them do. */
import { closeSync, openSync, writeSync } from 'node:fs';

/** What a full-screen program writes to redraw itself: 20 rows with colours, about 2 KB. */
const REDRAW = Array.from(
  { length: 20 },
  (_, row) => `\x1b[${row + 5};1H\x1b[38;5;${row + 100}m${'working '.repeat(11)}\x1b[0m\x1b[K`,
).join('');
const REDRAW_EVERY_MS = 100;

export class PaneWriter {
  readonly #files: number[];
  #timers: NodeJS.Timeout[] = [];
  #drawn = 0;

  constructor(devices: readonly string[]) {
    this.#files = devices.map((device) => openSync(device, 'w'));
  }

  write(index: number, text: string): void {
    writeSync(this.#files[index] ?? -1, text);
  }

  writeAll(text: string): void {
    for (const file of this.#files) writeSync(file, text);
  }

  /** All but the first redraw ten times a second, each at its own moment. */
  redraw(): void {
    this.#timers = this.#files.slice(1).map((file, index) => {
      const draw = () => {
        this.#drawn += 1;
        writeSync(file, `\x1b[1;1H${this.#drawn}${REDRAW}`);
      };
      return setTimeout(() => {
        this.#timers[index] = setInterval(draw, REDRAW_EVERY_MS);
      }, Math.random() * REDRAW_EVERY_MS);
    });
  }

  rest(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
  }

  [Symbol.dispose](): void {
    this.rest();
    for (const file of this.#files) closeSync(file);
  }
}
