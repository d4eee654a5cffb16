/** Keys from a terminal in raw mode. Does not know what they mean to the client. */
import type { ReadStream } from 'node:tty';
import { parseKeys, type Key } from './keys.ts';

/** A lone escape byte is the Escape key when nothing follows it for this long. */
const ESCAPE_MS = 50;

export class Keyboard {
  readonly #input: ReadStream;
  #rest = '';
  #escapeTimer: NodeJS.Timeout | undefined;

  constructor(input: ReadStream, onKey: (key: Key) => void) {
    this.#input = input;
    input.setRawMode(true);
    input.setEncoding('utf8');
    input.on('data', (chunk) => this.#read(String(chunk), onKey));
  }

  close(): void {
    clearTimeout(this.#escapeTimer);
    this.#input.pause();
    this.#input.setRawMode(false);
  }

  #read(chunk: string, onKey: (key: Key) => void): void {
    clearTimeout(this.#escapeTimer);
    const { keys, rest } = parseKeys(this.#rest + chunk);
    this.#rest = rest;
    if (rest === '\u001b') {
      this.#escapeTimer = setTimeout(() => {
        this.#rest = '';
        onKey({ kind: 'escape' });
      }, ESCAPE_MS);
    }
    keys.forEach(onKey);
  }
}
