import { execFileSync } from 'node:child_process';

/** Makes a directory read-only, for root too, until it is disposed. */
export class ReadOnlyDirectory {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
    execFileSync('mount', ['--bind', path, path]);
    execFileSync('mount', ['-o', 'remount,bind,ro', path]);
  }

  [Symbol.dispose](): void {
    execFileSync('umount', ['-l', this.path]);
  }
}
