/** Reads a growing file of lines from where it stopped. Passes on each whole line once, in order. */
import { closeSync, openSync, readSync } from 'node:fs';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { systemCode } from '../../lib/app-error.ts';
import { type LineEnd, LineSplitter } from './line-splitter.ts';

const CHUNK_BYTES = 256 * 1024;
const START: LineEnd = { line: 0, offset: 0 };

export class OutputReader {
  readonly #path: string;
  readonly #onLine: (text: string | null, end: LineEnd) => void;
  #splitter: LineSplitter;
  /** Bytes passed to the splitter. */
  #read = 0;
  #taken = START;

  /** `onLine` gets null for a line that is too long. When it throws, the line comes again. */
  constructor(path: string, onLine: (text: string | null, end: LineEnd) => void) {
    this.#path = path;
    this.#onLine = onLine;
    this.#splitter = this.#splitFrom(START);
  }

  /**
   * Reads what is there now, yielding to the event loop between pieces; with `last` also a line
   * without a newline. Throws the system's error, and what `onLine` threw; the next call continues
   * at the first line that was not taken. One call at a time.
   */
  async readNew({ last }: { last: boolean }): Promise<void> {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    try {
      while (this.#readChunk(buffer)) await yieldToEventLoop();
      if (last) this.#splitter.end();
    } catch (error) {
      this.#splitter = this.#splitFrom(this.#taken);
      this.#read = this.#taken.offset;
      throw error;
    }
  }

  #splitFrom(from: LineEnd): LineSplitter {
    return new LineSplitter(from, (text, end) => {
      this.#onLine(text, end);
      this.#taken = end;
    });
  }

  /** False at the end of the file. */
  #readChunk(buffer: Buffer): boolean {
    let file: number;
    try {
      file = openSync(this.#path, 'r');
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return false;
      throw error;
    }
    try {
      const length = readSync(file, buffer, 0, buffer.length, this.#read);
      this.#read += length;
      this.#splitter.push(buffer.subarray(0, length));
      return length > 0;
    } finally {
      closeSync(file);
    }
  }
}
