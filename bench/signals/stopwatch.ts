/** Sends signals one by one and records how long each took to reach each of its subscribers. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SIGNAL_FILE, SIGNAL_TEMPORARY_FILE } from '../../shared/schema/loops/auto-signal.ts';

const LOST_MS = 10_000;
const TIMESTAMP = /"timestamp":"([^"]+)"/g;

export class Stopwatch {
  /** Milliseconds of each receipt, by round. */
  readonly rounds: number[][] = [];
  readonly #subscribers: number;
  readonly #sent = new Map<string, { at: number; left: number }>();
  /** The newest signal of each directory. */
  readonly #last = new Map<string, string>();
  #written = 0;

  constructor(subscribers: number) {
    this.#subscribers = subscribers;
  }

  /** What is received from now on belongs to the next round. */
  begin(): void {
    this.rounds.push([]);
  }

  /**
   * Writes a signal once the last one of this directory has arrived: a newer one would replace it. One
   * that had to wait for that counts from when it was due, so that a slow answer hides no other.
   */
  async send(directory: string): Promise<void> {
    const dueAt = performance.now();
    let isLate = false;
    for (let waited = 0; this.#sent.has(this.#last.get(directory) ?? ''); waited += 1) {
      if (waited > LOST_MS) throw new Error('a signal did not arrive');
      isLate = true;
      await pause(1);
    }
    this.#written += 1;
    // The timestamp is the one field that passes through unchanged: it numbers the signal.
    const timestamp = new Date(Date.now() + this.#written).toISOString();
    const signal = { step: 'check', result: 'PASS', next: 'exec', checkpoint: '', timestamp };
    const temporary = join(directory, SIGNAL_TEMPORARY_FILE);
    writeFileSync(temporary, JSON.stringify(signal));
    this.#last.set(directory, timestamp);
    const at = isLate ? dueAt : performance.now();
    this.#sent.set(timestamp, { at, left: this.#subscribers });
    renameSync(temporary, join(directory, SIGNAL_FILE));
  }

  /** One subscriber got a text with any number of signals in it. */
  received(text: string): void {
    const now = performance.now();
    for (const [, timestamp = ''] of text.matchAll(TIMESTAMP)) {
      const sent = this.#sent.get(timestamp);
      if (sent === undefined) continue;
      this.rounds.at(-1)?.push(now - sent.at);
      sent.left -= 1;
      if (sent.left === 0) this.#sent.delete(timestamp);
    }
  }

  /** Waits until every subscriber has got every signal. */
  async all(): Promise<void> {
    for (let waited = 0; this.#sent.size > 0; waited += 10) {
      if (waited > LOST_MS) throw new Error(`${this.#sent.size} signals did not arrive`);
      await pause(10);
    }
  }
}
