/**
 * What an interactive client received and when it worked, a line each in `stand-in-heard.ndjson` of
 * its home: a test compares it with what was sent.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';

const FILE = 'stand-in-heard.ndjson';

export type ReceivedInput =
  /** A text with Enter. `box`: the client was at its prompt; `turn`: it worked. */
  | { event: 'text'; text: string; during: 'box' | 'turn' }
  /** A key while a dialog was open. */
  | { event: 'key'; key: string }
  | { event: 'turn_began' | 'turn_ended' };

export class InputLog {
  readonly #file: string | null;

  /** Keeps nothing without a home. */
  constructor(home: string | null) {
    this.#file = home === null ? null : path.join(home, FILE);
    if (home !== null) mkdirSync(home, { recursive: true, mode: 0o700 });
  }

  note(input: ReceivedInput): void {
    if (this.#file === null) return;
    const line = { at: Date.now(), pid: process.pid, ...input };
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}
