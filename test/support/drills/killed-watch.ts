/** `loopwatch watch` with a cursor file, repeatedly killed and restarted; keeps everything they printed. */
import { once } from 'node:events';
import { join } from 'node:path';
import { WatchProcess } from '../daemon/watch-process.ts';
import type { World } from '../daemon/world.ts';

export class KilledWatch {
  readonly #world: World;
  readonly #past: WatchProcess[] = [];
  #now: WatchProcess | null = null;

  constructor(world: World) {
    this.#world = world;
  }

  /** Starts it unless it runs; needs a daemon. */
  start(): void {
    if (this.#now !== null && this.#now.child.exitCode === null) return;
    this.#keep();
    const file = join(this.#world.root, 'cursor');
    this.#now = new WatchProcess(this.#world, ['--json', '--after', '0', '--cursor-file', file]);
  }

  /** kill -9; the next one prints what it had not printed. */
  async kill(): Promise<void> {
    const child = this.#now?.child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'close');
    child.kill('SIGKILL');
    await exited;
    this.#keep();
  }

  /** Printed seqs, each once, in order. */
  get seqs(): number[] {
    const all = [...this.#past, ...(this.#now === null ? [] : [this.#now])];
    const keys = new Map(all.flatMap(({ events }) => events.map(({ key, seq }) => [key, seq])));
    return [...keys.values()].sort((a, b) => a - b);
  }

  #keep(): void {
    if (this.#now !== null) this.#past.push(this.#now);
    this.#now = null;
  }
}
