import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SubscriberTarget } from '../load/subscriber-sockets.ts';
import { BenchChild } from '../rig/bench-child.ts';

/** Chokidar, Drizzle and Socket.IO on this many directories, in their own process. */
export class UsualStack {
  readonly places: string[];
  readonly #root = mkdtempSync(join(tmpdir(), 'lwb-'));
  readonly #process: BenchChild<object>;

  constructor(count: number) {
    this.places = Array.from({ length: count }, (_, n) => join(this.#root, String(n)));
    for (const directory of this.places) mkdirSync(directory);
    this.#process = new BenchChild('signals/usual-stack-process.js', this.places, null);
  }

  async target(): Promise<SubscriberTarget> {
    return this.#process.ask({});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
    rmSync(this.#root, { recursive: true });
  }
}
