/** A small disk mounted at a directory, that can be filled and made read-only; needs root. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CHUNK = Buffer.alloc(4096, 'x');

export class SmallDisk {
  readonly path: string;
  readonly #filler: string;
  readonly #bound: string[] = [];

  constructor(path: string, sizeKib: number) {
    this.path = path;
    this.#filler = join(path, 'filler');
    mkdirSync(path, { recursive: true, mode: 0o700 });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeKib}k,mode=700`, 'none', path]);
  }

  /** Mounts a directory of this disk at another path too, for as long as the disk exists. */
  bind(name: string, at: string): void {
    const source = join(this.path, name);
    for (const directory of [source, at]) mkdirSync(directory, { recursive: true, mode: 0o700 });
    execFileSync('mount', ['--bind', source, at]);
    this.#bound.push(at);
  }

  /** Uses all remaining space. */
  fill(): void {
    try {
      for (;;) writeFileSync(this.#filler, CHUNK, { flag: 'a' });
    } catch {
      // Full, as intended.
    }
  }

  free(): void {
    rmSync(this.#filler, { force: true });
  }

  /** Only while nothing is open on it for writing. */
  makeReadOnly(): void {
    execFileSync('mount', ['-o', 'remount,ro', this.path]);
  }

  [Symbol.dispose](): void {
    for (const at of [...this.#bound, this.path]) execFileSync('umount', ['-l', at]);
  }
}
